import { expect, test } from '@jest/globals';
import { hourAt, type KnownOrder, learnFrom, minutesByAhead, readyTimesView } from './rules.ts';

const known = (count: number, order: Partial<KnownOrder> & Pick<KnownOrder, 'minutes'>): KnownOrder[] =>
  Array.from({ length: count }, () => ({ items: ['tea'], hour: 10, ahead: 0, ...order }));
const learned = (...orders: readonly KnownOrder[][]) => {
  const times = learnFrom(orders.flat());
  if (!times) throw new Error('nothing was learned');
  return times;
};

test('nothing is learned from fewer than twenty orders', () => {
  expect(learnFrom(known(19, { minutes: 5 }))).toBe(null);
  expect(learned(known(20, { minutes: 5 }))).toMatchObject({ any: 5, late: [0, 0], usual: [5, 5] });
});

test('an order takes as long as its slowest item, and an item of few orders as long as any order', () => {
  const times = learned(
    known(20, { minutes: 4 }),
    known(10, { minutes: 12, items: ['pie', 'tea'] }),
    known(4, { minutes: 90, items: ['rare'] }),
  );
  expect(minutesByAhead(times, { items: ['tea'], hour: 20 })[0]).toBe(4);
  expect(minutesByAhead(times, { items: ['tea', 'pie'], hour: 20 })[0]).toBe(12);
  expect(minutesByAhead(times, { items: ['rare'], hour: 20 })[0]).toBe(4);
});

test('an hour and a load add what orders took longer then; a load that was never seen adds as much as the one below', () => {
  const times = learned(
    known(30, { minutes: 5 }),
    known(10, { minutes: 9, hour: 12 }),
    known(10, { minutes: 15, hour: 12, ahead: 4 }),
    known(5, { minutes: 5, ahead: null }),
  );
  const at = (hour: number) => minutesByAhead(times, { items: ['tea'], hour });
  expect([at(10)[2], at(12)[2], at(10)[3], at(12)[30]]).toEqual([5, 9, 11, 15]);
  expect(at(10)).toHaveLength(31);
});

test('one order that was forgotten for a day changes no quote', () => {
  const usual = known(30, { minutes: 6 });
  const quote = (orders: readonly KnownOrder[]) => minutesByAhead(learned([...orders]), { items: ['tea'], hour: 10 })[0];
  expect(quote([...usual, ...known(1, { minutes: 1_440 })])).toBe(quote(usual));
});

test('the spread is the tenth and the ninetieth percentile of how late orders were', () => {
  const orders = Array.from({ length: 100 }, (_, n) => known(1, { minutes: n + 1 }));
  expect(learned(...orders)).toMatchObject({ any: 50, late: [-40, 40], usual: [10, 90] });
});

test('the hour is that of the store, and the public percentage needs twenty quotes', () => {
  expect([hourAt(new Date('2026-05-01T23:30:00Z'), 'Europe/London'), hourAt(new Date('2026-05-01T23:30:00Z'), 'UTC')]).toEqual([0, 23]);
  const times = learned(known(20, { minutes: 5 }));
  expect(readyTimesView({ learned: times, quotes: 19, kept: 19 })).toEqual({ from_min: 5, to_min: 5, quotes: 19, kept_percent: null });
  expect(readyTimesView({ learned: times, quotes: 20, kept: 15 })?.kept_percent).toBe(75);
  expect(readyTimesView({ learned: null, quotes: 3, kept: 3 })).toBe(null);
});
