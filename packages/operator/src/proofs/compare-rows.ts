import type { BookFault, FileRow } from './read-book.ts';

/**
 * Compares the rows of a file with the signed hashes, both in order, and names each row that was changed, is missing, or was not signed at
 * its place. A missing row, of which there is only a hash, is named by the row before it. If all are unchanged, names each row whose
 * number, which is not signed, is not its place.
 */
export function compareRows(rows: readonly FileRow[], signed: readonly string[], hashOf: (text: string) => string): BookFault[] {
  const hashes = rows.map(({ text }) => hashOf(text));
  const [inFile, inSigned] = [countsOf(hashes), countsOf(signed)];
  const faults: BookFault[] = [];
  for (let [at, place] = [0, 0]; at < rows.length || place < signed.length; ) {
    const [row, expected] = [rows[at], signed[place]];
    const isSame = expected !== undefined && hashes[at] === expected;
    const isMissing = expected !== undefined && !isSame && !inFile.has(expected);
    const isExtra = row !== undefined && !isSame && (!isMissing || !inSigned.has(hashes[at] ?? ''));
    if (isExtra && isMissing) faults.push({ line: row.line, why: `row ${place + 1} was changed, and is now: ${row.words}` });
    else if (isExtra) faults.push({ line: row.line, why: `this row was not signed at this place: ${row.words}` });
    else if (isMissing) faults.push({ line: null, why: `row ${place + 1} is missing${after(rows[at - 1])}` });
    if (isSame || isMissing) take(inSigned, signed[place++]);
    if (isSame || isExtra) take(inFile, hashes[at++]);
  }
  if (faults.length > 0) return faults;
  return rows.flatMap(({ line, number }, place) =>
    number === `${place + 1}` ? [] : [{ line, why: `this is row ${place + 1}, and its number was changed` }],
  );
}

const after = (row: FileRow | undefined): string => (row ? `, after: ${row.words}` : ', the first one');

function countsOf(hashes: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, hash = ''): void {
  const left = (counts.get(hash) ?? 0) - 1;
  if (left > 0) counts.set(hash, left);
  else counts.delete(hash);
}
