import { type Finding, type Goal, rowsOf } from '../report/figures.ts';
import type { DatabaseCounts } from '../system/database-counts.ts';

/** Each repetition costs ten seconds, and counts hardly vary. */
export const countedRepetitions = 2;

export const countsAsText = (counts: DatabaseCounts | null): string =>
  counts ? `; ${counts.statements.toFixed(1)} statements, ${counts.commits.toFixed(1)} commits` : '';

export function countFindings(
  name: string,
  counts: readonly DatabaseCounts[],
  most: Partial<Record<keyof DatabaseCounts, number>>,
): Finding[] {
  const row = rowsOf(counts, `${name}: `);
  const atMost = (what: keyof DatabaseCounts): Goal | undefined => {
    const value = most[what];
    return value === undefined ? undefined : { at: 'most', value };
  };
  return [
    row('statements of all services', 'an order', 'less', (c) => c.statements, atMost('statements')),
    row('commits', 'an order', 'less', (c) => c.commits, atMost('commits')),
    row('forced writes of the log', 'an order', 'less', (c) => c.fsyncs, atMost('fsyncs')),
    row('write-ahead log', 'kB an order', 'less', (c) => c.walBytes / 1000),
    row('rows read', 'an order', 'less', (c) => c.rowsRead, atMost('rowsRead')),
    row('rows written', 'an order', 'less', (c) => c.rowsWritten),
    row('rewritten rows that needed no new index entry', '%', 'more', (c) => (c.hotUpdates / c.updates) * 100),
  ];
}
