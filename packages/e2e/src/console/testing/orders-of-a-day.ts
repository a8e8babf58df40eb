import type { Basket, CustomerName } from './customers-of-a-day.ts';

export type Story = keyof typeof logOf;

export interface PlannedOrder {
  readonly by: CustomerName;
  readonly items: Basket;
  readonly story: Story;
}

const order = (by: CustomerName, items: Basket, story: Story = 'collected'): PlannedOrder => ({ by, items, story });

export const waves = {
  morning: [
    order('Ana', { 'flat-white': 1, croissant: 1 }),
    order('Ana', { 'flat-white': 2 }),
    order('Ben', { toastie: 1 }, 'late'),
    order('Dee', { espresso: 1, croissant: 2 }, 'pressed by mistake'),
    order('Mia', { filter: 1 }),
  ],
  noon: [
    order('Ana', { toastie: 1 }),
    order('Ana', { filter: 2 }),
    order('Eli', { 'beans-250g': 2, espresso: 1 }, 'a bag returned'),
    order('Mia', { 'beans-250g': 1 }, 'cancelled by the customer'),
    order('Dee', { 'hot-chocolate': 1, toastie: 1 }, 'cancelled by staff'),
  ],
  afternoon: [
    order('Ana', { 'hot-chocolate': 1 }),
    order('Ben', { 'beans-250g': 1 }),
    order('Ben', { 'flat-white': 1 }, 'by keyboard'),
    order('Eli', { espresso: 2 }),
    order('Mia', { 'flat-white': 1, filter: 1 }),
  ],
} as const satisfies Record<string, readonly PlannedOrder[]>;

export const beansSold = 2;

const paid = ['The customer placed the order', 'Payment was received'];
const [started, ready, handedOver] = ['Preparation began by Bo', 'The order is ready by Bo', 'The order was handed over by Bo'];
const collected = [...paid, started, ready, handedOver];
const [requested, accepted] = ['A refund was requested by Bo', 'The refund was accepted by Bo'];

export const logOf = {
  collected,
  'by keyboard': collected,
  late: [...paid, 'Running late by Bo', started, ready, handedOver],
  'pressed by mistake': [...paid, started, ready, 'Status corrected: the order is being prepared again by Bo', ready, handedOver],
  'a bag returned': [...collected, requested, accepted],
  'cancelled by the customer': [...paid, 'The customer cancelled the order', 'A refund was requested', 'The refund was accepted'],
  'cancelled by staff': [...paid, started, requested, 'The order was cancelled by Bo', accepted],
} as const;
