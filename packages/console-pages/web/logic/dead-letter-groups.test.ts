import { expect, test } from '@jest/globals';
import { causeOf, groupsOf, type Letter } from './dead-letter-groups.ts';

const letter = (fields: Partial<Letter>): Letter => ({
  event_id: '0198a2f1-77c1-7cc0-9d0e-000000000001',
  type: 'order.paid.v1',
  aggregate_id: null,
  error: 'x',
  attempts: 6,
  dead_lettered_at: '2026-11-23T12:00:00.000Z',
  settled_at: null,
  settled_as: null,
  settled_by: null,
  settled_reason: null,
  service: 'loyalty',
  ...fields,
});

test.each([
  ['the card 0198a2f1-77c1-7cc0-9d0e-000000000001 has 2 stamps', 'the card … has … stamps'],
  ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED …'],
  ['no order of number "A-1042"', 'no order of number …'],
  ['the message is not JSON', 'the message is not JSON'],
])('the cause of “%s” is “%s”', (error, cause) => {
  expect(causeOf(error)).toBe(cause);
});

test('dead letters of one service, type and cause are a group; the largest is first, the oldest of each too', () => {
  const groups = groupsOf([
    letter({ error: 'the card is closed' }),
    letter({ error: 'slot 7 is full', dead_lettered_at: '2026-11-23T12:00:05.000Z' }),
    letter({ error: 'slot 8 is full', dead_lettered_at: '2026-11-23T12:00:01.000Z' }),
    letter({ error: 'slot 8 is full', service: 'queue' }),
  ]);
  expect(groups.map(({ service, cause, letters }) => [service, cause, letters.length])).toEqual([
    ['loyalty', 'slot … is full', 2],
    ['loyalty', 'the card is closed', 1],
    ['queue', 'slot … is full', 1],
  ]);
  expect(groups[0]?.letters.map(({ error }) => error)).toEqual(['slot 8 is full', 'slot 7 is full']);
});
