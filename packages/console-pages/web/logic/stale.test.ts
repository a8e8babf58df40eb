import type { Change } from '@corner/console-api';
import { expect, test } from '@jest/globals';
import { type Followed, isStale, refreshFor } from './stale.ts';

const change = (fields: Partial<Change> = {}): Change => ({
  producer: 'orders',
  type: 'order.paid.v1',
  subject: 'o1',
  event_id: 'e1',
  store_id: 's1',
  customer_id: 'c1',
  at: '2026-11-23T12:00:00Z',
  ...fields,
});
const query = (key: string, fields: Partial<Followed> = {}): Followed => ({
  key,
  readAgainFor: { types: ['order.'] },
  fetching: false,
  ...fields,
});

test.each([
  [{ types: ['order.'] }, true],
  [{ types: ['queue.'] }, false],
  [{ subjects: ['o1'] }, true],
  [{ subjects: ['c1'] }, true],
  [{ types: ['order.'], subjects: ['o2'] }, false],
  [{}, true],
])('a query that is read again for %j: %s', (readAgainFor, stale) => {
  expect(isStale(readAgainFor, change())).toBe(stale);
});

test('a change reads again the queries it concerns, and no other', () => {
  const queries = [query('orders'), query('queue', { readAgainFor: { types: ['queue.'] } }), query('me', { readAgainFor: undefined })];
  expect(refreshFor([change()], new Set(), queries)).toEqual({ now: ['orders'], later: new Set() });
});

test('a query that is being read is read once more afterwards, also without a further change', () => {
  const first = refreshFor([change()], new Set(), [query('orders', { fetching: true })]);
  expect(first).toEqual({ now: [], later: new Set(['orders']) });
  expect(refreshFor([], first.later, [query('orders', { fetching: true })])).toEqual(first);
  expect(refreshFor([], first.later, [query('orders')])).toEqual({ now: ['orders'], later: new Set() });
});
