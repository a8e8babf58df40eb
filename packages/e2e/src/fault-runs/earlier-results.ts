export interface EarlierResults {
  readonly rows: ReadonlyMap<string, readonly string[]>;
  readonly findings: readonly string[];
}

export function earlierResults(document: string, columns: readonly string[]): EarlierResults {
  const cells = [...document.matchAll(/^\|(.+)\|$/gm)].map(([, row = '']) => row.split('|').map((cell) => cell.trim()));
  const header = cells.find((row) => row[0] === 'fault' && row.includes('seeds')) ?? [];
  const figures = cells.filter((row) => row.length === header.length && row !== header && !/^:?-+:?$/.test(row[0] ?? ''));
  return {
    rows: new Map(figures.map((row) => [row[0] ?? '', columns.map((column) => row[header.indexOf(column)] ?? '')])),
    findings: [...document.matchAll(/^- (.+, seed \d+: .+)$/gm)].map(([, line = '']) => line),
  };
}
