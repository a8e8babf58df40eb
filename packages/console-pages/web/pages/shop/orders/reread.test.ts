import { expect, test } from '@jest/globals';
import { createReread, since, withRow } from './reread.ts';

interface Read {
  readonly id: string;
  answer(value: string): void;
  refuse(error: Error): void;
}

function start() {
  const reads: Read[] = [];
  const received: string[] = [];
  const failures: (readonly [id: string, error: unknown])[] = [];
  let resets = 0;
  const reread = createReread<string>({
    read: (id) => new Promise((answer, refuse) => void reads.push({ id, answer, refuse })),
    receive: (id, value) => void received.push(`${id} ${value}`),
    reset: () => void resets++,
    failed: (id, error) => void failures.push([id, error]),
  });
  const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
  return { reads, received, failures, reread, turn, resets: () => resets };
}

test('several changes of one order in one turn are one read', async () => {
  const { reads, received, reread, turn } = start();
  for (const id of ['a', 'a', 'b', 'a']) reread.changed(id);
  await turn();
  expect(reads.map(({ id }) => id)).toEqual(['a', 'b']);
  reads[0]?.answer('ready');
  await turn();
  expect(received).toEqual(['a ready']);
});

test('a read that began earlier does not replace what a later one brought', async () => {
  const { reads, received, reread, turn } = start();
  reread.changed('a');
  await turn();
  reread.changed('a');
  await turn();
  reads[1]?.answer('ready');
  await turn();
  reads[0]?.answer('preparing');
  await turn();
  expect(received).toEqual(['a ready']);
});

test('a change of one’s own is received at once, and a read that began before it is not', async () => {
  const { reads, received, reread, turn } = start();
  reread.changed('a');
  await turn();
  expect(await reread.through('a', async () => 'collected')).toBe('collected');
  reads[0]?.answer('ready');
  await turn();
  expect(received).toEqual(['a collected']);
});

test('many changes at once are read as pages, and a read that fails is reported', async () => {
  const { reads, failures, reread, turn, resets } = start();
  for (let n = 0; n < 31; n++) reread.changed(String(n));
  await turn();
  expect([reads.length, resets()]).toEqual([0, 1]);
  reread.changed('a');
  await turn();
  reads[0]?.refuse(new Error('gone'));
  await turn();
  expect(failures).toEqual([['a', new Error('gone')]]);
});

test('after everything was read again, only what was read by itself meanwhile stays', () => {
  const [older, newer] = [{ status: 'preparing' }, { status: 'ready' }];
  const before = new Map([
    ['a', older],
    ['b', older],
  ]);
  const now = withRow(withRow(before, 'b', newer), 'c', newer);
  expect([...since(before, now)]).toEqual([
    ['b', newer],
    ['c', newer],
  ]);
  expect([...withRow(now, 'b').keys()]).toEqual(['a', 'c']);
});
