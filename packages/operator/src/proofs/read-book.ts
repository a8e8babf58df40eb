import { bookHead, bookRowKinds } from '@corner/contracts';

export interface BookFault {
  readonly line: number | null;
  readonly why: string;
}

export interface FileRow {
  readonly line: number;
  readonly number: string;
  readonly text: string;
  readonly what: string;
  readonly name: string;
  readonly amount_pence: number | null;
  readonly words: string;
}

export interface BookFile {
  readonly rows: readonly FileRow[];
  readonly proof: string | null;
  /** Faults in parts that no signature covers: the names of the columns, and the cells around the proof. */
  readonly faults: readonly BookFault[];
}

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
    line,
    number,
    text: whole.slice(whole.indexOf(',') + 1),
    what,
    name,
    amount_pence: /^-?\d+(\.\d+)?$/.test(amount) ? Number(amount.replace('.', '')) : null,
    words: words.filter(Boolean).join(' '),
  };
}

function linesOf(csv: string): string[] {
  const lines = csv.match(/(?:"(?:[^"]|"")*"|[^"\n])+/g) ?? [];
  return lines.map((line) => line.replace(/\r$/, ''));
}

const cellsOf = (line: string): string[] =>
  [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  );
