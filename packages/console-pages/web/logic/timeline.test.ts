import { expect, test } from '@jest/globals';
import { timelineOf } from './timeline.ts';

const begin = Date.parse('2026-11-23T12:00:00Z');
const fact = (ms: number, service: string) => ({ at: new Date(begin + ms).toISOString(), service });

test('marks are in order from left to right, a row for each service', () => {
  const { rows, episodes, gaps } = timelineOf([fact(0, 'orders'), fact(40, 'loyalty'), fact(900, 'orders'), fact(1_000, 'queue')]);
  expect(rows.map(({ service, marks }) => [service, marks.length])).toEqual([
    ['orders', 2],
    ['loyalty', 1],
    ['queue', 1],
  ]);
  const [first, second] = rows[0]?.marks ?? [];
  expect(first?.x).toBeLessThan(second?.x ?? 0);
  expect(episodes).toEqual([{ from: 0, to: 1, lasts: '1.0 s' }]);
  expect(gaps).toEqual([]);
});

test('hours in which nothing happened take no more room than a gap, and are named', () => {
  const { rows, episodes, gaps } = timelineOf([
    fact(0, 'orders'),
    fact(100, 'orders'),
    fact(7_200_000, 'orders'),
    fact(7_200_100, 'orders'),
  ]);
  expect(gaps).toEqual([{ at: expect.closeTo(0.5, 1), lasts: '1 h 59 min' }]);
  expect(episodes).toHaveLength(2);
  const places = rows[0]?.marks.map(({ x }) => x) ?? [];
  expect(places).toHaveLength(4);
  for (const [index, { from, to }] of episodes.entries())
    for (const x of places.slice(index * 2, index * 2 + 2)) expect(x > from && x < to).toBe(true);
});

test('a story of 20,000 facts is a bounded picture', () => {
  const facts = Array.from({ length: 20_000 }, (_, index) => fact(index * 1_500, index % 2 === 0 ? 'orders' : 'loyalty'));
  const { rows } = timelineOf(facts);
  for (const { marks } of rows) expect(marks.length).toBeLessThanOrEqual(501);
  expect(rows.flatMap(({ marks }) => marks).reduce((sum, { count }) => sum + count, 0)).toBe(20_000);
});

test('no facts are no rows', () => {
  expect(timelineOf([])).toEqual({ rows: [], episodes: [], gaps: [] });
});
