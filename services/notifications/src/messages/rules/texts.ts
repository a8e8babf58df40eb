/** Milliseconds after a store's text in which an answer goes to the store, and characters of an answer that are kept. */
export const answeredWithinMs = 7 * 86_400_000;
const longestAnswer = 1_600;

/** Twilio's words, at which it stops texts itself, and the French ones; without accents, in capitals. */
const stopWords = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT', 'ARRET', 'ARRETER', 'DESABONNER'];
/** Without YES, with which Twilio lifts its own block too: it may answer a store's question. */
const startWords = ['START', 'UNSTOP'];

export interface TextChoice {
  readonly word: string;
  readonly accepted: boolean;
}

/** Reads a text that consists of one of the words alone, in any case, with accents, spaces and punctuation or without. Null for another. */
export function readChoice(text: string): TextChoice | null {
  const word = text
    .normalize('NFD')
    .replace(/[\p{M}\p{P}\s]+/gu, '')
    .toUpperCase();
  if (stopWords.includes(word)) return { word, accepted: false };
  return startWords.includes(word) ? { word, accepted: true } : null;
}

/** Without NUL characters, which no text in the database can hold. Empty when nothing is left. */
export const answerOf = (text: string): string => [...text.replaceAll('\0', '').trim()].slice(0, longestAnswer).join('');
