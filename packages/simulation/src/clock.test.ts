import { expect, test } from '@jest/globals';
import { SimulatedClock } from './clock.ts';

test('what waits is rung in the order of its time, at its time, and once', async () => {
  const clock = new SimulatedClock(new Date('2026-05-12T10:00:00Z'));
  const rung: string[] = [];
  const note = (name: string) => () => void rung.push(`${name} ${clock.now().toISOString().slice(14, 19)}`);
  clock.after(20_000, note('late'));
  clock.after(10_000, () => {
    note('early')();
    clock.after(5_000, note('between'));
  });
  using _ = clock.after(10_000, note('forgotten'));
  _[Symbol.dispose]();
  expect(clock.nextMs).toBe(10_000);
  await clock.pass(60_000);
  expect(rung).toEqual(['early 00:10', 'between 00:15', 'late 00:20']);
  expect(clock.nextMs).toBeNull();
  expect(clock.now().toISOString()).toBe('2026-05-12T10:01:00.000Z');
});
