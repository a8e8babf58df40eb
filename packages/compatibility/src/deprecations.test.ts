import type { Deprecated } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { breaksOf } from './gate.ts';
import { type Surface, surfaceOf } from './surface.ts';

const mark: Deprecated = { since: '2026-03-01', sunset: '2027-03-01', use: 'readReceipt' };
const [before, after] = ['2027-02-28T23:59:59Z', '2027-03-01T00:00:00Z'];

const orders = surfaceOf('orders', '1.0.0');
const names = ['createOrder', 'order.paid/v1'];
const marked = (as: Deprecated): Surface => ({ ...orders, deprecated: Object.fromEntries(names.map((name) => [name, as])) });
const kept = <T>(record: Readonly<Record<string, T>>) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
const without: Surface = { ...orders, version: 'next', operations: kept(orders.operations), publishes: kept(orders.publishes) };
const breaks = (released: Surface, next: Surface, at = before) =>
  breaksOf([{ ...next, version: 'next' }], { orders: [released] }, new Date(at));

describe('an operation and an event may be removed', () => {
  test('from the day that a release has announced a year before', () => {
    expect(breaks(marked(mark), without, after)).toEqual([]);
    expect(breaks(marked(mark), without, before)).toEqual([
      expect.stringContaining('apps that call createOrder of orders 1.0.0 break with orders next: the operation is gone'),
      expect.stringContaining('subscribers of order.paid/v1 of orders 1.0.0 break with orders next: order.paid/v1 is published no more'),
    ]);
  });

  test.each<[string, Surface]>([
    ['that no release has marked', orders],
    ['whose sunset was less than a year away', marked({ ...mark, since: '2026-03-02' })],
    ['whose sunset is no day', marked({ ...mark, sunset: '2027-02-31x' })],
  ])('but not one %s', (_, released) => {
    expect(breaks(released, without, after)).toHaveLength(2);
  });

  test('and while it is there, nothing of it may break', () => {
    const { createOrder, ...others } = orders.operations;
    if (!createOrder) throw new Error('createOrder is gone');
    const moved = { ...marked(mark), operations: { ...others, createOrder: { ...createOrder, path: '/api/v1/elsewhere' } } };
    expect(breaks(marked(mark), moved, after)).toEqual([expect.stringContaining('it is now POST /api/v1/elsewhere')]);
  });
});

test.each<[string, Deprecated | null, string | null]>([
  ['a sunset that is put off', { ...mark, sunset: '2027-06-01' }, null],
  ['a better successor', { ...mark, use: null }, null],
  ['a sunset that is brought forward', { ...mark, sunset: '2027-02-28' }, 'promised for 2027-03-01'],
  ['another beginning', { ...mark, since: '2026-02-01' }, 'was deprecated since 2026-03-01, and now since 2026-02-01'],
  ['a mark that is gone', null, 'is no longer marked as deprecated'],
])('of a mark, %s', (_, next, why) => {
  const found = breaks(marked(mark), next ? marked(next) : orders);
  expect(found.filter((one) => why === null || one.includes(why))).toHaveLength(why === null ? 0 : 2);
});

test('a new mark leaves a year', () => {
  expect(breaks(orders, marked(mark))).toEqual([]);
  expect(breaks(orders, marked({ ...mark, sunset: '2027-02-28' }))).toEqual([
    'of orders next, the sunset of createOrder is not twelve months after it was deprecated',
    'of orders next, the sunset of order.paid/v1 is not twelve months after it was deprecated',
  ]);
});
