import { Problem } from '@corner/contracts';
import { atStore, type Closing, closedUntil } from './taking-orders.ts';

export interface Slot {
  readonly id: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly capacity: number | null;
  readonly used: number;
  readonly open: boolean;
}

interface WantedSlot {
  readonly collectionMode: 'now' | 'scheduled' | null;
  readonly slotId: string | null;
  readonly collectAt: string | null;
}

/** Finds the slot of a scheduled part; null for an unscheduled one. Throws the SLOT_ problems and VALIDATION_FAILED. */
export function slotOf(
  { collectionMode, slotId, collectAt }: WantedSlot,
  slots: readonly Slot[],
  closing: Closing,
  now: Date,
): Slot | null {
  if (collectionMode !== 'scheduled') return null;
  const slot = slotId ? slots.find(({ id }) => id === slotId) : slotAround(collectAt ?? '', slots);
  if (!slot) throw new Problem('SLOT_NOT_FOUND');
  if (slotId && collectAt && !within(collectAt, slot)) throw new Problem('SLOT_MISMATCH');
  checkSlotFree(slot, closing, now);
  return slot;
}

/**
 * Returns when an order is collected in a slot, ISO 8601: at its start, or in a slot that has begun when the order can be ready; never in
 * the past.
 */
export const earliestInSlot = ({ starts_at }: Pick<Slot, 'starts_at'>, prepMinutes: number, now: Date): string =>
  Date.parse(starts_at) > now.getTime() ? starts_at : new Date(now.getTime() + prepMinutes * 60_000).toISOString();

/** Throws SLOT_CLOSED for a slot that has begun and ends before an order can be ready. */
export function checkReadyInSlot(slot: Pick<Slot, 'starts_at' | 'ends_at'>, prepMinutes: number, now: Date, timeZone: string): void {
  if (Date.parse(earliestInSlot(slot, prepMinutes, now)) < Date.parse(slot.ends_at)) return;
  const end = atStore(new Date(slot.ends_at), timeZone);
  throw new Problem('SLOT_CLOSED', { message: `The order takes ${prepMinutes} minutes, and the slot ends at ${end}: choose a later one.` });
}

export function checkSlotFree(slot: Slot, closing: Closing, now: Date): void {
  const refusal = refusalOfSlot(slot, closing, now);
  if (refusal) throw refusal;
}

/**
 * Returns SLOT_CLOSED for a slot that is closed or over, or while the store is closed; SLOT_JUST_FILLED for one without a free place; or
 * null.
 */
export function refusalOfSlot(slot: Slot, { closures, time_zone }: Closing, now: Date): Problem | null {
  if (!slot.open || Date.parse(slot.ends_at) <= now.getTime()) return new Problem('SLOT_CLOSED');
  const closed = closedUntil(closures, new Date(slot.starts_at), new Date(slot.ends_at));
  if (closed) return new Problem('SLOT_CLOSED', { message: `The store is closed then, until ${atStore(closed, time_zone)}.` });
  return placesLeft(slot) === 0 ? new Problem('SLOT_JUST_FILLED') : null;
}

export const placesLeft = ({ capacity, used }: Slot): number | null => (capacity === null ? null : Math.max(0, capacity - used));

interface BookedOrder {
  readonly payment_status: string;
  readonly fulfilment_status: string | null;
  readonly slot_id: string | null;
}

export function bookedSlotId({ payment_status, fulfilment_status, slot_id }: BookedOrder): string {
  if (payment_status !== 'paid' || fulfilment_status !== 'ready') throw new Problem('ORDER_NOT_READY');
  if (!slot_id) throw new Problem('ORDER_HAS_NO_SLOT');
  return slot_id;
}

/** Throws NOT_EARLIER for a slot that does not start before the booked time, and the problems of {@link checkSlotFree}. */
export function checkEarlierSlot(slot: Slot, bookedAt: string, closing: Closing, now: Date): void {
  if (Date.parse(slot.starts_at) >= Date.parse(bookedAt)) throw new Problem('NOT_EARLIER');
  checkSlotFree(slot, closing, now);
}

function slotAround(collectAt: string, slots: readonly Slot[]): Slot | undefined {
  const around = slots.filter((slot) => slot.open && within(collectAt, slot));
  if (around.length > 1) {
    throw new Problem('VALIDATION_FAILED', { message: 'requested_collection_at: lies in more than one slot; send slot_id.' });
  }
  return around[0];
}

const within = (time: string, slot: Slot): boolean =>
  Date.parse(slot.starts_at) <= Date.parse(time) && Date.parse(time) < Date.parse(slot.ends_at);
