/** What a document says of faults that were run earlier. */
export interface EarlierResults {
  /** The row of each fault in the table of figures, by its name. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
  /** What was found, a line each, which begins with the name of the fault. */
  readonly findings: readonly string[];
}

/** Reads the results in a document. A row of figures has 13 columns; other tables have fewer. */
export function earlierResults(document: string): EarlierResults {
  const cells = [...document.matchAll(/^\|(.+)\|$/gm)].map(([, row = '']) => row.split('|').map((cell) => cell.trim()));
  return {
    rows: new Map(cells.filter((row) => row.length === 13).map((row) => [row[0] ?? '', row])),
    findings: [...document.matchAll(/^- (.+, seed \d+: .+)$/gm)].map(([, line = '']) => line),
  };
}
