import { expect, test } from '@jest/globals';
import { overdueEntries } from './overdue-entries.ts';

const hours = [{ day: 5, opens: '09:00', closes: '17:00' }];
const at = (time: string) => Date.parse(`2026-05-01T${time}Z`);
const waiting = (id: string, joined_at = '2026-05-01T10:00:00Z') => ({ id, status: 'waiting' as const, joined_at, hold_until: null });
const called = (id: string, hold_until: string) => ({ id, status: 'called' as const, joined_at: '2026-05-01T09:30:00Z', hold_until });
const seated = (id: string) => ({ id, status: 'assigned' as const, joined_at: '2026-05-01T09:00:00Z', hold_until: null });
const overdue = (
  entries: readonly (ReturnType<typeof waiting> | ReturnType<typeof called> | ReturnType<typeof seated>)[],
  now: number,
  more = {},
) => overdueEntries({ entries, abandonedIds: [], hours, timeZone: 'UTC', ...more }, now).map(({ entry, move }) => `${entry.id} ${move}`);

test('a call lapses at the instant its hold ends and not before', () => {
  const entries = [called('a', '2026-05-01T11:05:00Z')];
  expect(overdue(entries, at('11:04:59'))).toEqual([]);
  expect(overdue(entries, at('11:05:00'))).toEqual(['a noShow']);
});

test('an entry that waits leaves 30 minutes after closing and not before', () => {
  expect(overdue([waiting('a')], at('17:29:59'))).toEqual([]);
  expect(overdue([waiting('a'), waiting('b')], at('17:30:00'))).toEqual(['a leave', 'b leave']);
});

test('an entry that joined on a day without an opening leaves at once', () => {
  expect(overdue([waiting('a', '2026-04-30T10:00:00Z'), waiting('b')], at('11:00:00'))).toEqual(['a leave']);
});

test('only an abandoned chair is completed', () => {
  expect(overdue([seated('a'), seated('b')], at('23:00:00'), { abandonedIds: ['b'] })).toEqual(['b complete']);
});
