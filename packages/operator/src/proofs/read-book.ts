import { bookHead, bookRowKinds } from '@corner/contracts';

/** What is wrong with a file. `line` is its place in the file, null for what has none. */
export interface BookFault {
  readonly line: number | null;
  readonly why: string;
}

/** A row of a book's file: what is hashed of it, its place in the file, and its first cells. */
export interface FileRow {
  /** The line of the file, from 1. */
  readonly line: number;
  /** The number that the line shows, which is not hashed: the place of the row, from 1. */
  readonly number: string;
  /** The line after its first comma: what is hashed. */
  readonly text: string;
  readonly what: string;
  readonly name: string;
  /** In minor units; null for a cell that is empty or no amount. */
  readonly amount_pence: number | null;
  /** A few words that say which row it is. */
  readonly words: string;
}

/** The file of a day's book: its rows, and the proof, null for a file without one. */
export interface BookFile {
  readonly rows: readonly FileRow[];
  readonly proof: string | null;
  /** What no signature covers and is not as it was written: the names of the columns, and cells around the proof. */
  readonly faults: readonly BookFault[];
}

/** Reads the CSV of a day's book. Empty lines are passed over. */
export function readBook(text: string): BookFile {
  const lines = linesOf(text.replace(/^\uFEFF/, ''));
  const parts: string[] = [];
  const rows: FileRow[] = [];
  const faults: BookFault[] = lines[0] === bookHead.join(',') ? [] : [{ line: 1, why: 'the names of the columns were changed' }];
  for (const [n, line] of lines.entries()) {
    const [first = '', ...cells] = cellsOf(line);
    if (first === 'proof') {
      const part = cells[1] ?? '';
      parts.push(part);
      if (line !== `proof,${parts.length},${part}`)
        faults.push({ line: n + 1, why: `this is not part ${parts.length} of the proof alone` });
    } else if (n > 0 && line !== '') rows.push(rowOf(n + 1, line, first, cells));
  }
  return { rows, proof: parts.length > 0 ? parts.join('') : null, faults };
}

function rowOf(
  line: number,
  whole: string,
  number: string,
  [what = '', name = '', at = '', order = '', , amount = '', count = '', currency = '']: string[],
): FileRow {
  const known = bookRowKinds.some((kind) => kind === what) ? what.replace('_', ' ') : 'row';
  const words = [known, name, order && `of ${order}`, amount && `${amount} ${currency}`, count && `× ${count}`, at && `at ${at}`];
  return {
    ...{ line, number, text: whole.slice(whole.indexOf(',') + 1), what, name },
    amount_pence: /^-?\d+(\.\d+)?$/.test(amount) ? Number(amount.replace('.', '')) : null,
    words: words.filter(Boolean).join(' '),
  };
}

/** Splits a CSV into lines; a line end between quotes belongs to its line. */
function linesOf(csv: string): string[] {
  const lines = csv.match(/(?:"(?:[^"]|"")*"|[^"\n])+/g) ?? [];
  return lines.map((line) => line.replace(/\r$/, ''));
}

const cellsOf = (line: string): string[] =>
  [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  );
