import type { WebhookPayload } from '@corner/contracts';
import { z } from 'zod';
import { type DayRange, isWithin } from './event-feed.ts';

/** The figures are null with fewer than 20 quotes. */
export interface RecountedWaits {
  readonly quotes: number;
  readonly kept: number;
  readonly kept_percent: number | null;
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
  return {
    quotes: late.length,
    kept,
    kept_percent: lateBy === undefined ? null : Math.round((100 * kept) / late.length),
    late_by_min: lateBy === undefined ? null : Math.max(0, lateBy),
  };
}

const lateMinutes = ({ joined_at, quoted_wait_min, at }: Entry): number =>
  Math.ceil((Date.parse(at) - Date.parse(joined_at)) / 60_000) - quoted_wait_min;
