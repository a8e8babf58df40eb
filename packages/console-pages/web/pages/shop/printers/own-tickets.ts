import { kept, readJson, writeJson } from '@corner/page-kit/browser/storage';
import type { Order } from '../operations.ts';

export const switchName = 'tickets-from-this-browser';
const printedName = 'tickets-printed';
const mostKept = 500;
const oldestMs = 2 * 3_600_000;

/** `since` is in epoch milliseconds. */
export interface Printed {
  readonly since: number;
  readonly ids: readonly string[];
}

/** The orders of the board's first column that arrived since the switch was turned on, the oldest first. */
export const toPrint = (orders: readonly Order[], { since, ids }: Printed, now: number): readonly Order[] => {
  const done = new Set(ids);
  return orders
    .filter((order) => !done.has(order.id) && Date.parse(arrivedAt(order)) >= Math.max(since, now - oldestMs))
    .toSorted((a, b) => arrivedAt(a).localeCompare(arrivedAt(b)));
};

const arrivedAt = ({ accepted_at, created_at }: Order): string => accepted_at ?? created_at;

export const withPrinted = ({ since, ids }: Printed, id: string): Printed => ({ since, ids: [id, ...ids].slice(0, mostKept) });

export function readPrinted(): Printed {
  const value = readJson(kept, printedName);
  return isPrinted(value) ? value : { since: Date.now(), ids: [] };
}

const isPrinted = (value: unknown): value is Printed =>
  typeof value === 'object' && value !== null && typeof (value as Printed).since === 'number' && Array.isArray((value as Printed).ids);

const write = (printed: Printed): void => writeJson(kept, printedName, printed);

export const beginPrinting = (): void => write({ ...readPrinted(), since: Date.now() });

/** Two tabs never take the same ticket. Undefined when there is none. */
export const takeTicket = (orders: readonly Order[]): Promise<Order | undefined> =>
  navigator.locks.request(printedName, () => {
    const printed = readPrinted();
    const [next] = toPrint(orders, printed, Date.now());
    if (next) write(withPrinted(printed, next.id));
    return next;
  });
