import { expect, test } from '@jest/globals';
import { linesOf, orderOf, type StoryFact, servicesOf } from './story.ts';

const order = '0198a2f1-77c1-7cc0-9d0e-000000000007';
const fact = (at: string, fields: Partial<StoryFact> = {}): StoryFact => ({
  at,
  service: 'orders',
  sentence: 'x',
  event_id: null,
  request_id: null,
  trace_id: null,
  of: null,
  trace_url: null,
  log_url: null,
  ...fields,
});

test('each fact says what it is after, and where a day begins', () => {
  const facts = [fact('2026-11-22T23:59:59.000Z'), fact('2026-11-22T23:59:59.040Z'), fact('2026-11-23T00:00:01.040Z')];
  const lines = linesOf(facts, 'UTC');
  expect(lines.map(({ afterMs, day }) => [afterMs, day !== undefined])).toEqual([
    [0, true],
    [40, false],
    [2_000, true],
  ]);
  expect(new Set(lines.map(({ key }) => key)).size).toBe(3);
});

test('the order of a story is what most of its facts are of', () => {
  const other = '0198a2f1-77c1-7cc0-9d0e-000000000008';
  const facts = [
    fact('2026-11-23T12:00:00Z', { of: other }),
    fact('2026-11-23T12:00:00Z', { of: order }),
    fact('2026-11-23T12:00:00Z', { of: order }),
  ];
  expect(orderOf({ id: 'A-1042', facts })).toBe(order);
  expect(orderOf({ id: order, facts: [] })).toBe(order);
  expect(orderOf({ id: 'A-1042', facts: [] })).toBeUndefined();
});

test('services are in the order in which they first appear', () => {
  expect(servicesOf(['queue', 'orders', 'queue'].map((service) => fact('2026-11-23T12:00:00Z', { service })))).toEqual(['queue', 'orders']);
});
