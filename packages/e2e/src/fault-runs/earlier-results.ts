export interface EarlierResults {
  /** The row of each fault in the table of figures, by its name. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
  /** The findings, a line each, which begins with the name of the fault. */
  readonly findings: readonly string[];
}

/** Reads the results in a document: the table of figures, whose first row names its columns. A column that it does not have is left empty. */
export function earlierResults(document: string, columns: readonly string[]): EarlierResults {
  const cells = [...document.matchAll(/^\|(.+)\|$/gm)].map(([, row = '']) => row.split('|').map((cell) => cell.trim()));
  const header = cells.find((row) => row[0] === 'fault' && row.includes('seeds')) ?? [];
  const figures = cells.filter((row) => row.length === header.length && row !== header && !/^:?-+:?$/.test(row[0] ?? ''));
  return {
    rows: new Map(figures.map((row) => [row[0] ?? '', columns.map((column) => row[header.indexOf(column)] ?? '')])),
    findings: [...document.matchAll(/^- (.+, seed \d+: .+)$/gm)].map(([, line = '']) => line),
  };
}
