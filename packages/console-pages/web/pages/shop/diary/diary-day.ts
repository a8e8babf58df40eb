import type { components } from '@corner/client';
import { addDays, instantAt, minuteOf, wallTimeAt } from '@corner/page-kit/logic/zones';

type Booking = components['schemas']['Booking'];
export type BookingState = Booking['state'];
type Timed = Pick<Booking, 'id' | 'unit_id' | 'starts_at' | 'ends_at' | 'state'>;

/** Returns milliseconds, 23 to 25 hours apart. */
export const dayBounds = (date: string, zone: string): { readonly from: number; readonly to: number } => ({
  from: instantAt(date, 0, zone),
  to: instantAt(addDays(date, 1), 0, zone),
});

export interface ChairDay<B> {
  /** Null for a chair that the store no longer has. */
  readonly chair: { readonly id: string; readonly name: string } | null;
  readonly bookings: readonly B[];
}

export function byChair<B extends Timed>(
  bookings: readonly B[],
  chairs: readonly { readonly id: string; readonly name: string }[],
): readonly ChairDay<B>[] {
  const sorted = bookings.toSorted((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at));
  const gone = sorted.filter(({ unit_id }) => !chairs.some(({ id }) => id === unit_id));
  return [
    ...chairs.map((chair) => ({ chair, bookings: sorted.filter(({ unit_id }) => unit_id === chair.id) })),
    ...(gone.length > 0 ? [{ chair: null, bookings: gone }] : []),
  ];
}

export const takesChair = ({ state }: Pick<Booking, 'state'>): boolean => state === 'booked' || state === 'started';

export function clashesOf(bookings: readonly Timed[]): ReadonlySet<string> {
  const taking = bookings.filter(takesChair);
  const clash = (one: Timed, other: Timed) =>
    one.id !== other.id &&
    one.unit_id === other.unit_id &&
    Date.parse(one.starts_at) < Date.parse(other.ends_at) &&
    Date.parse(other.starts_at) < Date.parse(one.ends_at);
  return new Set(taking.filter((one) => taking.some((other) => clash(one, other))).map(({ id }) => id));
}

export const stepsOf: Readonly<Record<BookingState, readonly (readonly [state: BookingState, label: string])[]>> = {
  booked: [['started', 'Start']],
  started: [['done', 'Done']],
  done: [],
  cancelled: [],
};

export interface BookingForm {
  readonly unit_id: string;
  readonly date: string;
  readonly time: string;
  readonly minutes: number;
}

/** Returns wall time of the store's zone; null while the form is incomplete. The length stays the same when the clocks change meanwhile. */
export function timesOf(
  { date, time, minutes }: BookingForm,
  zone: string,
): { readonly starts_at: string; readonly ends_at: string } | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d$/.test(time) || !(minutes >= 1 && minutes <= 1_440)) return null;
  const from = instantAt(date, minuteOf(time), zone);
  return { starts_at: new Date(from).toISOString(), ends_at: new Date(from + minutes * 60_000).toISOString() };
}

export function formOf({ unit_id, starts_at, ends_at }: Timed, zone: string): BookingForm {
  const from = Date.parse(starts_at);
  return { unit_id, ...wallTimeAt(from, zone), minutes: Math.round((Date.parse(ends_at) - from) / 60_000) };
}
