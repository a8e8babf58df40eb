import { describe, expect, test } from '@jest/globals';
import type { Order } from '../../operations.ts';
import { byColumn } from '../../order-columns.ts';
import { orderOf } from '../order-for-tests.ts';
import { ageOf, beyondText, callOf, chosenBy, isDue, nextOnBoard, ticketsOf, toMake, toMakeText } from './tickets.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 4, 1, 12, minutes)).toISOString();
const nowAt = (minutes: number) => Date.parse(at(minutes));
const collect = (fields: Partial<Order> = {}) =>
  orderOf({ accepted_at: at(0), created_at: at(0), requested_collection_at: at(15), ...fields });
const atOnce = (fields: Partial<Order> = {}) =>
  orderOf({
    order_type: 'buy_now',
    collection_code: null,
    collection_mode: null,
    fulfilment_status: null,
    requested_collection_at: null,
    accepted_at: at(0),
    created_at: at(0),
    ...fields,
  });

test('tickets stand in the order in which they are due, whatever their state; one that is taken at once is due when it is placed', () => {
  const orders = [
    collect({ id: 'last', requested_collection_at: at(40) }),
    collect({ id: 'delayed', requested_collection_at: at(5), revised_ready_at: at(30) }),
    collect({ id: 'ready', fulfilment_status: 'ready', requested_collection_at: at(20) }),
    collect({ id: 'preparing', fulfilment_status: 'preparing', requested_collection_at: at(25) }),
    atOnce({ id: 'at once', created_at: at(12) }),
    collect({ id: 'gone', fulfilment_status: 'collected' }),
    collect({ id: 'cancelled', status: 'cancelled' }),
  ];
  expect(ticketsOf(byColumn(orders), nowAt(12)).map(({ id }) => id)).toEqual(['at once', 'ready', 'preparing', 'delayed', 'last']);
});

test('an order that must be made now stands before those that are ready and those that can wait, however early they were due', () => {
  const orders = [
    collect({ id: 'ready long since', fulfilment_status: 'ready', requested_collection_at: at(5), ready_at: at(5) }),
    collect({ id: 'fresh', accepted_at: at(29), requested_collection_at: at(40) }),
    collect({ id: 'late', requested_collection_at: at(29) }),
    atOnce({ id: 'at once', created_at: at(10), accepted_at: at(10) }),
    collect({ id: 'soon', requested_collection_at: at(32) }),
  ];
  const order = ticketsOf(byColumn(orders), nowAt(30));
  expect(order.map(({ id }) => id)).toEqual(['at once', 'late', 'soon', 'ready long since', 'fresh']);
  expect(order.filter((each) => isDue(each, nowAt(30))).map(({ id }) => id)).toEqual(['at once', 'late', 'soon']);
});

test('the orders beyond the screen are counted, with the time of the first that is to be made', () => {
  const text = (...orders: Order[]) => beyondText(orders, (instant) => instant.slice(11, 16));
  const ready = collect({ fulfilment_status: 'ready' });
  expect(text(ready, collect({ requested_collection_at: at(40) }), collect())).toBe('3 more, next due 12:40');
  expect(text(collect({ requested_collection_at: at(40), revised_ready_at: at(50) }))).toBe('1 more, next due 12:50');
  expect([text(atOnce()), text(ready, ready)]).toEqual(['1 more, next at once', '2 more, all ready']);
});

describe('the age of a ticket', () => {
  const tones = (order: Order, ...minutes: number[]) => minutes.map((minute) => ageOf(order, nowAt(minute)).tone);

  test('turns amber when two thirds of the time are over, and red when the order is due', () => {
    expect(tones(collect(), 0, 9, 10, 14, 15)).toEqual(['fresh', 'fresh', 'soon', 'soon', 'late']);
    expect(ageOf(collect(), nowAt(4)).text).toBe('4 min');
    expect(tones(collect({ revised_ready_at: at(60) }), 15)).toEqual(['fresh']);
  });

  test('of an order that is taken at once turns amber after five minutes and red after ten', () => {
    expect(tones(atOnce(), 0, 4, 5, 9, 10)).toEqual(['fresh', 'fresh', 'soon', 'soon', 'late']);
  });

  test('of a booked order is the time to its slot', () => {
    const booked = collect({ collection_mode: 'scheduled', accepted_at: at(-1000), requested_collection_at: at(30) });
    expect([0, 21, 33].map((minute) => ageOf(booked, nowAt(minute)))).toEqual([
      { text: 'due in 30 min', tone: 'fresh' },
      { text: 'due in 9 min', tone: 'soon' },
      { text: 'late 3 min', tone: 'late' },
    ]);
  });

  test('of a ready order is how long it waits, which is never red', () => {
    const ready = collect({ fulfilment_status: 'ready', ready_at: at(10) });
    expect(ageOf(ready, nowAt(14))).toEqual({ text: '4 min', tone: 'fresh' });
    expect(tones(ready, 20, 300)).toEqual(['soon', 'soon']);
  });
});

test('one press leads to the next step, and past Start where the shop skips it', () => {
  const labels = (skips: boolean) =>
    (['accepted', 'preparing', 'ready'] as const).map(
      (fulfilment_status) => nextOnBoard(collect({ fulfilment_status }), 'staff', skips)?.label,
    );
  expect(labels(false)).toEqual(['Start', 'Ready', 'Collected']);
  expect(labels(true)).toEqual(['Ready', 'Ready', 'Collected']);
  expect(nextOnBoard(collect(), 'staff', true)).toEqual({ kind: 'fulfilment', to: 'ready', via: 'preparing', label: 'Ready' });
  expect(nextOnBoard(atOnce(), 'staff', true)).toMatchObject({ kind: 'business', to: 'ready' });
});

test('what is to be made now is summed up, without what is ready and what is booked for later', () => {
  const line = (name: string, quantity: number, ...choices: string[]) =>
    ({
      position: 0,
      name,
      quantity,
      note: null,
      choices: choices.map((choice) => ({ name: choice })),
    }) as unknown as Order['items'][number];
  const orders = [
    collect({ items: [line('Flat white', 8), line('Croissant', 1)] }),
    collect({ fulfilment_status: 'preparing', items: [line('Flat white', 6, 'Oat milk', 'Large')] }),
    collect({ fulfilment_status: 'preparing', items: [line('Flat white', 1, 'Large')] }),
    collect({ fulfilment_status: 'ready', items: [line('Flat white', 50)] }),
    collect({ collection_mode: 'scheduled', requested_collection_at: at(31), items: [line('Cake', 1)] }),
  ];
  expect(toMake(orders, nowAt(0)).map(toMakeText)).toEqual(['15 × Flat white, 7 with Large, 6 with Oat milk', '1 × Croissant']);
  expect(toMake(orders, nowAt(1)).map(({ name }) => name)).toContain('Cake');
});

test('a ticket is called by its code, or by its number without the code of the store', () => {
  expect(callOf(collect(), 'ESPRESSOBAR')).toBe('12');
  expect(callOf(atOnce({ order_number: 'ESPRESSO-BAR-1042' }), 'ESPRESSO-BAR')).toBe('1042');
  expect(callOf(atOnce({ order_number: 'OLD-1042' }), 'ESPRESSO-BAR')).toBe('OLD-1042');
});

test('digits and arrows choose a ticket', () => {
  expect(['1', '9', '0', 'a', 'Enter', '12'].map((key) => chosenBy(key, -1, 12))).toEqual([0, 8, 9, null, null, null]);
  expect([chosenBy('5', -1, 3), chosenBy('1', -1, 0)]).toEqual([null, null]);
  expect([chosenBy('ArrowRight', -1, 3), chosenBy('ArrowRight', 2, 3), chosenBy('ArrowLeft', 0, 3), chosenBy('ArrowDown', 0, 3)]).toEqual([
    0, 2, 0, 1,
  ]);
});
