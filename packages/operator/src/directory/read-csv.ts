/** A line of a text file with its cells, and its number, from 1. */
export interface CsvLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads text with commas (RFC 4180). A cell in quotes may hold commas, line ends and doubled quotes. Cells are trimmed, and lines without
 * content are left out.
 */
export function readCsv(text: string): CsvLine[] {
  const lines: CsvLine[] = [];
  const content = `${text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')}\n`;
  const cell = /[ \t]*(?:"((?:[^"]|"")*)"[^,\n]*|([^,\n]*))(,|\n)/gy;
  let cells: string[] = [];
  let startedAt = 1;
  let line = 1;
  for (const [whole, quoted, plain = '', end] of content.matchAll(cell)) {
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    line += whole.split('\n').length - 1;
    if (end === ',') continue;
    if (cells.some((value) => value !== '')) lines.push({ line: startedAt, cells });
    cells = [];
    startedAt = line;
  }
  return lines;
}
