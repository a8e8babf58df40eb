import { type DataOf, type directoryStore, Problem } from '@corner/contracts';
import { endOfDay } from '@corner/contracts/opening-hours';
import { atStore, type Closing, closedUntil, openingsOfWeek, type TakingOrders } from './taking-orders.ts';

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

export type Pace = NonNullable<DataOf<typeof directoryStore>['pace']>;

export interface PacedStore extends TakingOrders {
  /** Null for a store whose kitchen makes any number. */
  readonly pace: Pace | null;
}

interface MadeItem {
  readonly id: string;
  readonly kind: 'item' | 'choice';
  readonly make_minutes?: number | null;
}

/** What a part of an order takes from the kitchen: so many units, from the first of these quarters that have room. */
export interface WantedPace {
  readonly order_id: string;
  readonly units: number;
  readonly prep_minutes: number;
  readonly quarters: readonly string[];
  /** The quarter that the customer was shown; null where none was. */
  readonly expected: string | null;
  readonly refusal: 'NO_CAPACITY_TODAY' | 'SLOT_JUST_FILLED';
}

export const quarterMs = 900_000;

export const usualCapacity = ({ max_items, make_minutes }: Pace): number => max_items ?? make_minutes ?? 0;

/** Returns how much of the kitchen's pace units of items and choices take: items, or minutes of making. */
export const unitsToMake = ({ make_minutes: inMinutes }: Pace, units: ReadonlyMap<string, number>, items: readonly MadeItem[]): number =>
  items.reduce((sum, { id, kind, make_minutes }) => {
    const one = kind === 'item' ? 1 : 0;
    return sum + (units.get(id) ?? 0) * (inMinutes === undefined ? one : (make_minutes ?? one));
  }, 0);

/** Returns the start of the quarter of an hour that an instant is in. */
export const quarterOf = (at: Date): Date => new Date(Math.floor(at.getTime() / quarterMs) * quarterMs);

/** Returns the quarters of a slot that are not over. */
export const quartersOfSlot = ({ starts_at, ends_at }: Pick<Slot, 'starts_at' | 'ends_at'>, now: Date): readonly string[] =>
  quartersWithin(Math.max(Date.parse(starts_at), now.getTime()), Date.parse(ends_at));

/** Returns the quarters of today in which a store is open, from this one on. */
export function quartersToday(store: TakingOrders, now: Date): readonly string[] {
  const until = endOfDay(store.hours, store.time_zone, now.getTime());
  const openings = openingsOfWeek(store, now).flatMap(({ starts_at, ends_at }) =>
    quartersWithin(Math.max(Date.parse(starts_at), now.getTime()), Math.min(Date.parse(ends_at), until)),
  );
  return [...new Set(openings)];
}

/** Returns the starts of the quarters that a span of epoch milliseconds touches. */
export function quartersWithin(from: number, until: number): string[] {
  const first = quarterOf(new Date(from)).getTime();
  const count = Math.max(0, Math.ceil((until - first) / quarterMs));
  return Array.from({ length: from < until ? count : 0 }, (_, n) => new Date(first + n * quarterMs).toISOString());
}
