import { kept, readJson, writeJson } from '@corner/page-kit/browser/storage';
import type { Order } from '../operations.ts';

/** The name of the switch that this browser keeps. */
export const switchName = 'tickets-from-this-browser';
const printedName = 'tickets-printed';
/** Ids that are kept, so that an order is printed once also after the page was loaded again. */
const mostKept = 500;
/** A ticket that is older helps no one: the order is on the board. */
const oldestMs = 2 * 3_600_000;

/** What this browser has printed: orders that were paid since a moment. */
export interface Printed {
  /** Epoch milliseconds. */
  readonly since: number;
  readonly ids: readonly string[];
}

/** Returns the orders whose tickets are to be printed now: those of the board's first column that came since the switch was turned on, the oldest first. */
export const toPrint = (orders: readonly Order[], { since, ids }: Printed, now: number): readonly Order[] => {
  const done = new Set(ids);
  return orders
    .filter((order) => !done.has(order.id) && Date.parse(arrivedAt(order)) >= Math.max(since, now - oldestMs))
    .toSorted((a, b) => arrivedAt(a).localeCompare(arrivedAt(b)));
};

const arrivedAt = ({ accepted_at, created_at }: Order): string => accepted_at ?? created_at;

/** The record with an order that was printed. */
export const withPrinted = ({ since, ids }: Printed, id: string): Printed => ({ since, ids: [id, ...ids].slice(0, mostKept) });

/** Reads the record, which all tabs of this browser share. */
export function readPrinted(): Printed {
  const value = readJson(kept, printedName);
  return isPrinted(value) ? value : { since: Date.now(), ids: [] };
}

const isPrinted = (value: unknown): value is Printed =>
  typeof value === 'object' && value !== null && typeof (value as Printed).since === 'number' && Array.isArray((value as Printed).ids);

const write = (printed: Printed): void => writeJson(kept, printedName, printed);

/** From now on, orders are printed. */
export const beginPrinting = (): void => write({ ...readPrinted(), since: Date.now() });

/**
 * Takes the next ticket that no tab of this browser has printed, and notes it as printed. Undefined when there is none. Two tabs never take the
 * same one.
 */
export const takeTicket = (orders: readonly Order[]): Promise<Order | undefined> =>
  navigator.locks.request(printedName, () => {
    const printed = readPrinted();
    const [next] = toPrint(orders, printed, Date.now());
    if (next) write(withPrinted(printed, next.id));
    return next;
  });
