/** Milliseconds. */
export interface Scanned {
  readonly text: string;
  readonly at: number;
}

export const nothingScanned: Scanned = { text: '', at: 0 };

const mostBetweenMs = 60;
const leastLetters = 4;

/** Returns the keys so far, and the whole text when the key is the Enter that ends a scan; null before. */
export function scanKey(before: Scanned, key: string, at: number): readonly [now: Scanned, text: string | null] {
  const text = at - before.at <= mostBetweenMs ? before.text : '';
  if (key === 'Enter') return [nothingScanned, text.length >= leastLetters ? text : null];
  return key.length === 1 ? [{ text: text + key, at }, null] : [{ text, at: before.at }, null];
}
