import type { Order } from '../../operations.ts';
import { type Columns, dueAt } from '../../order-columns.ts';
import { dueText, spanOf } from '../../timing.ts';
import { actionsOf, type Step } from '../order-actions.ts';

const minute = 60_000;
/**
 * Limits in minutes. An order to take at once is due when it is placed: it turns amber and red by its age alone. A booked order is amber
 * from `soonBeforeSlot` before its slot, a ready one after `soonWhenReady`. A booked order counts in the summary from `makeAhead` before it
 * is due.
 */
const atOnce = { soon: 5, late: 10 };
const soonBeforeSlot = 10;
const soonWhenReady = 10;
const makeAhead = 30;

const since = (order: Order): number => Date.parse(order.accepted_at ?? order.created_at);

const dueOf = (order: Order): number => Date.parse(dueAt(order) ?? order.created_at);

/**
 * First the orders that are amber or red, so that none of them is beyond the screen while another order is on it, then those that are ready
 * and those that can wait. Each part has the first due first.
 */
export function ticketsOf({ accepted, preparing, ready }: Columns, now: number): readonly Order[] {
  const waits = (order: Order) => Number(!isDue(order, now));
  return [...accepted, ...preparing, ...ready].toSorted(
    (a, b) => waits(a) - waits(b) || dueOf(a) - dueOf(b) || a.order_number.localeCompare(b.order_number),
  );
}

export const isDue = (order: Order, now: number): boolean => order.fulfilment_status !== 'ready' && ageOf(order, now).tone !== 'fresh';

export function beyondText(beyond: readonly Order[], timeOf: (instant: string) => string): string {
  const next = beyond.find(({ fulfilment_status }) => fulfilment_status !== 'ready');
  const due = next && dueAt(next);
  return `${beyond.length} more, ${next ? (due ? `next due ${timeOf(due)}` : 'next at once') : 'all ready'}`;
}

export interface Age {
  readonly text: string;
  readonly tone: 'fresh' | 'soon' | 'late';
}

/**
 * White, then amber, then red when the order is due and not ready. A booked order shows the time to its slot, a ready one how long it
 * waits; the latter is never red, since nothing is left to make.
 */
export function ageOf(order: Order, now: number): Age {
  if (order.fulfilment_status === 'ready') {
    const waited = now - Date.parse(order.ready_at ?? order.created_at);
    return { text: spanOf(waited), tone: waited >= soonWhenReady * minute ? 'soon' : 'fresh' };
  }
  const due = dueAt(order);
  const age = now - since(order);
  if (due === null)
    return { text: spanOf(age), tone: age >= atOnce.late * minute ? 'late' : age >= atOnce.soon * minute ? 'soon' : 'fresh' };
  const left = Date.parse(due) - now;
  const isBooked = order.collection_mode === 'scheduled';
  const isSoon = isBooked ? left <= soonBeforeSlot * minute : age >= (2 / 3) * (age + left);
  return { text: (isBooked && dueText(due, now)) || spanOf(age), tone: left <= 0 ? 'late' : isSoon ? 'soon' : 'fresh' };
}

/** Where the shop skips Start, one press leads from accepted to ready. */
export function nextOnBoard(order: Order, role: string, skipsStart: boolean): Step | null {
  const { next } = actionsOf(order, role);
  const isStart = next?.kind === 'fulfilment' && next.to === 'preparing';
  return isStart && skipsStart ? { kind: 'fulfilment', to: 'ready', via: 'preparing', label: 'Ready' } : next;
}

export interface ToMake {
  readonly name: string;
  readonly quantity: number;
  readonly choices: readonly { readonly name: string; readonly quantity: number }[];
}

/**
 * The items of orders that are not ready, and of booked ones when half an hour or less is left, the most first. Of each item, units by the
 * name of their choices, the most first.
 */
export function toMake(orders: readonly Order[], now: number): readonly ToMake[] {
  const units = new Map<string, { quantity: number; choices: Map<string, number> }>();
  for (const order of orders) {
    const isLater = order.collection_mode === 'scheduled' && dueOf(order) - now > makeAhead * minute;
    if (order.fulfilment_status === 'ready' || isLater) continue;
    for (const { name, quantity, choices } of order.items) {
      const item = units.get(name) ?? { quantity: 0, choices: new Map() };
      units.set(name, item);
      item.quantity += quantity;
      for (const choice of choices) item.choices.set(choice.name, (item.choices.get(choice.name) ?? 0) + quantity);
    }
  }
  const most = (a: { name: string; quantity: number }, b: { name: string; quantity: number }) =>
    b.quantity - a.quantity || a.name.localeCompare(b.name);
  return [...units]
    .map(([name, { quantity, choices }]) => ({
      name,
      quantity,
      choices: [...choices].map(([choice, of]) => ({ name: choice, quantity: of })).toSorted(most),
    }))
    .toSorted(most);
}

export const toMakeText = ({ name, quantity, choices }: ToMake): string =>
  [`${quantity} × ${name}`, ...choices.map((choice) => `${choice.quantity} with ${choice.name}`)].join(', ');

export const callOf = ({ collection_code, order_number }: Order, storeCode: string): string =>
  collection_code ?? numberOf(order_number, storeCode);

export const numberOf = (orderNumber: string, storeCode: string): string =>
  orderNumber.startsWith(`${storeCode}-`) ? orderNumber.slice(storeCode.length + 1) : orderNumber;

/** 1 is the first ticket, 0 the tenth, an arrow its neighbour. Null for any other key. */
export function chosenBy(key: string, chosen: number, count: number): number | null {
  if (count === 0) return null;
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(count - 1, chosen + 1);
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(0, chosen - 1);
  if (!/^\d$/.test(key)) return null;
  const wanted = key === '0' ? 9 : Number(key) - 1;
  return wanted < count ? wanted : null;
}
