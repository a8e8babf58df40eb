import { queueStatuses } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { checkMove, isActive, type Move, moves } from './moves.ts';

test('a move is allowed from its listed statuses, already made in its target status, and refused from every other status', () => {
  for (const [name, { from, to }] of Object.entries(moves)) {
    for (const status of queueStatuses) {
      const expected = (from as readonly string[]).includes(status) ? 'allowed' : status === to ? 'already-made' : 'refused';
      expect([name, status, checkMove(status, name as Move)]).toEqual([name, status, expected]);
    }
  }
});

test('no move leads out of a status in which the entry has ended', () => {
  const ended = queueStatuses.filter((status) => !isActive(status));
  expect(ended).toEqual(['completed', 'left', 'no_show', 'converted_to_appointment']);
  for (const status of ended) expect((Object.keys(moves) as Move[]).filter((move) => checkMove(status, move) === 'allowed')).toEqual([]);
});
