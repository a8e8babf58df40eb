/**
 * Makes typed text safe for a printer: one line, without control characters (an escape code is a command to a printer) and without marks
 * that reorder or hide text.
 */
export const harmless = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu, '')
    .trim();

/** Returns the columns of a text. East Asian characters and emoji take two, combining marks none. */
export const columnsOf = (text: string): number => [...text].reduce((sum, character) => sum + columnsOfCharacter(character), 0);

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const columnsOfCharacter = (character: string): number => (/\p{M}/u.test(character) ? 0 : wide.test(character) ? 2 : 1);

export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((whole) => pieces(whole, columns))) {
    if (line !== '' && columnsOf(line) + 1 + columnsOf(word) > columns) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

function pieces(word: string, columns: number): readonly string[] {
  const found: string[] = [];
  let piece = '';
  for (const character of word) {
    if (columnsOf(piece + character) > columns) {
      found.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...found, piece];
}
