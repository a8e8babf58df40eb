import { expect, test } from '@jest/globals';
import { createTurns } from './turns.ts';

const here = new AbortController().signal;
const refused = expect.objectContaining({ code: 'UPSTREAM_UNAVAILABLE', headers: { 'Retry-After': '2' } });

test('a turn that ends goes to who waits longest, and ends once', async () => {
  const turns = createTurns({ count: 1, mostWaiting: 2, waitMs: 60_000 });
  const first = await turns.take(here);
  const order: string[] = [];
  const second = turns.take(here).then((turn) => {
    order.push('second');
    return turn;
  });
  const third = turns.take(here).then(() => void order.push('third'));
  await expect(turns.take(here)).rejects.toEqual(refused);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  (await second)[Symbol.dispose]();
  await third;
  expect(order).toEqual(['second', 'third']);
});

test('who finds no turn in time is refused, and says no more that it waits', async () => {
  const turns = createTurns({ count: 1, mostWaiting: 1, waitMs: 1 });
  const first = await turns.take(here);
  await expect(turns.take(here)).rejects.toEqual(refused);
  first[Symbol.dispose]();
  await turns.take(here);
});

test('who leaves waits no longer, and takes no turn', async () => {
  const turns = createTurns({ count: 1, mostWaiting: 1, waitMs: 60_000 });
  const first = await turns.take(here);
  const leaving = new AbortController();
  const left = turns.take(leaving.signal);
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  first[Symbol.dispose]();
  await turns.take(here);
  await expect(turns.take(leaving.signal)).rejects.toThrow('left');
});
