import { expect, test } from '@jest/globals';
import { createWaits, minuteOf } from './waits.ts';

const at = (time: string): Date => new Date(`2026-05-01T12:${time}Z`);

test('the waits of a minute are those of the guests who were called in it, or got a chair without a call', () => {
  const waits = createWaits();
  waits.note('queue.joined', 'a', at('00:00'));
  waits.note('queue.joined', 'b', at('00:30'));
  waits.note('queue.joined', 'c', at('01:00'));
  waits.note('queue.claimed', 'a', at('01:10'));
  waits.note('queue.called', 'a', at('02:00'));
  waits.note('queue.assigned', 'b', at('02:10'));
  waits.note('queue.left', 'c', at('02:20'));
  expect([waits.average(minuteOf(at('02:59'))), waits.average(minuteOf(at('01:00')))]).toEqual([110, null]);
});

test('a guest counts once, and one whose joining is too long ago to be known does not', () => {
  const waits = createWaits();
  waits.note('queue.joined', 'a', at('00:00'));
  waits.note('queue.called', 'a', at('00:40'));
  waits.note('queue.recalled', 'a', at('00:50'));
  waits.note('queue.called', 'a', at('01:20'));
  waits.note('queue.called', 'b', at('00:20'));
  expect([waits.average(minuteOf(at('00:00'))), waits.average(minuteOf(at('01:00')))]).toEqual([40, null]);
});
