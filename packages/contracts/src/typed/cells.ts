/** `line` is the number of the first line, from 1. A row that cannot be cut into cells has a fault and no cells. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
  readonly fault: string | null;
}

export const separators = ['\t', ';', ','] as const;
export type Separator = (typeof separators)[number];

/** A quoted cell may go on for this many lines; a quote that is not closed by then was forgotten. */
const longestCell = 20;

/**
 * Reads text with separated cells (RFC 4180). A cell in quotes may hold separators, line ends and doubled quotes. Cells are trimmed, and
 * lines without content are left out.
 */
export function readRows(text: string, separator: Separator): Row[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const rows: Row[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    let last = at;
    let read = cellsOf(lines[at] as string, separator);
    while (read === 'open' && last + 1 < lines.length && last - at < longestCell)
      read = cellsOf(lines.slice(at, ++last + 1).join('\n'), separator);
    const line = at + 1;
    if (typeof read === 'string') rows.push({ line, cells: [], fault: faults[read] });
    else if (read.some((cell) => cell !== '')) rows.push({ line, cells: read, fault: null });
    if (typeof read !== 'string') at = last;
  }
  return rows;
}

const faults = { open: 'A quotation mark is not closed.', after: 'Text follows a cell in quotation marks.' } as const;

/** Splits a line into its cells; `open` when a quote is not closed, `after` when text follows one that is. */
export function cellsOf(line: string, separator: Separator): string[] | keyof typeof faults {
  const cells: string[] = [];
  let rest = `${line}${separator}`;
  while (rest !== '') {
    const quoted = /^[^\S\t]*"((?:[^"]|"")*)(")?[^\S\t]*/.exec(rest);
    if (quoted && quoted[2] === undefined) return 'open';
    if (quoted && rest[quoted[0].length] !== separator) return 'after';
    const end = quoted ? quoted[0].length : rest.indexOf(separator);
    cells.push((quoted?.[1]?.replaceAll('""', '"') ?? rest.slice(0, end)).trim());
    rest = rest.slice(end + 1);
  }
  return cells;
}

/** Returns the first of tab, semicolon and comma that is in every line; a comma if none is. */
export function separatorOf(text: string): Separator {
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  const isIn = (separator: Separator) => lines.every((line) => line.replace(/"(?:[^"]|"")*"/g, '').includes(separator));
  return separators.find((separator) => lines.length > 0 && isIn(separator)) ?? ',';
}

/**
 * Decodes a file in UTF-8, or in UTF-16 with a byte order mark; the mark is dropped. Null for any other encoding, since a wrong guess would
 * change names.
 */
export function textOfBytes(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

export const notUtf8 = 'The file is not UTF-8: save it as “CSV UTF-8”, or choose UTF-8 as its encoding.';
