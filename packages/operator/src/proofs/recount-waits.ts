import type { WebhookPayload } from '@corner/contracts';
import { z } from 'zod';
import { type DayRange, isWithin } from './event-feed.ts';

/** The percentage is null with fewer than 20 quotes. */
export interface RecountedQuotes {
  readonly quotes: number;
  readonly kept: number;
  readonly kept_percent: number | null;
}

/** The minutes are null with the percentage. */
export interface RecountedWaits extends RecountedQuotes {
  readonly late_by_min: number | null;
}

const graceMinutes = 5;
const fewestQuotes = 20;

const Entry = z.object({ entry_ref: z.string(), joined_at: z.string(), quoted_wait_min: z.number(), at: z.string() });
type Entry = z.output<typeof Entry>;

/**
 * Compares the quoted waits of a queue with the real ones, from a store's events in the order of their numbers: of parties that joined
 * within a range of days, and that were offered a chair. Equals readStoreQueue over its range.
 */
export function recountWaits(payloads: readonly WebhookPayload[], range: DayRange): RecountedWaits {
  const counts = isWithin(range);
  const offered = new Map<string, Entry>();
  for (const { type, data } of payloads) {
    if (!['queue.called', 'queue.recalled', 'queue.assigned'].includes(type)) continue;
    const { success, data: entry } = Entry.safeParse(data);
    if (!success || !counts(entry.joined_at)) continue;
    if (type === 'queue.recalled') offered.delete(entry.entry_ref);
    // A chair is offered by the last call, or by the seat of one who was not called.
    else if (type === 'queue.called' || !offered.has(entry.entry_ref)) offered.set(entry.entry_ref, entry);
  }
  const late = [...offered.values()].map(lateMinutes).sort((a, b) => a - b);
  const kept = late.filter((minutes) => minutes <= graceMinutes).length;
  const lateBy = late.length < fewestQuotes ? undefined : late[Math.ceil(late.length * 0.9) - 1];
  return { ...quotesOf(late.length, kept), late_by_min: lateBy === undefined ? null : Math.max(0, lateBy) };
}

const quotesOf = (quotes: number, kept: number): RecountedQuotes => ({
  quotes,
  kept,
  kept_percent: quotes < fewestQuotes ? null : Math.round((100 * kept) / quotes),
});

const lateMinutes = ({ joined_at, quoted_wait_min, at }: Entry): number =>
  Math.ceil((Date.parse(at) - Date.parse(joined_at)) / 60_000) - quoted_wait_min;

const Moved = z.object({ order_id: z.string(), to: z.string(), at: z.string(), ready_from: z.string(), ready_to: z.string() });

/**
 * Compares the quoted ready times of orders with the real ones, from a store's events in the order of their numbers: of orders that were
 * quoted, and ready within a range of days. Equals readMenu over its range.
 */
export function recountReadyTimes(payloads: readonly WebhookPayload[], range: DayRange): RecountedQuotes {
  const counts = isWithin(range);
  const ready = new Map<string, z.output<typeof Moved>>();
  for (const { type, data } of payloads) {
    const { success, data: order } = Moved.safeParse(type === 'order.fulfilment_changed' ? data : null);
    if (!success) continue;
    // A correction makes an order unready again; one back to ready keeps its time.
    if (['accepted', 'preparing'].includes(order.to)) ready.delete(order.order_id);
    else if (order.to === 'ready' && !ready.has(order.order_id)) ready.set(order.order_id, order);
  }
  const counted = [...ready.values()].filter(({ at }) => counts(at));
  const isKept = ({ at, ready_from: from, ready_to: to }: z.output<typeof Moved>) =>
    Date.parse(at) >= Date.parse(from) && Date.parse(at) <= Date.parse(to);
  return quotesOf(counted.length, counted.filter(isKept).length);
}
