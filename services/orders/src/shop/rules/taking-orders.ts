import { Problem } from '@corner/contracts';
import type { Opening } from '@corner/contracts/opening-hours';

/**
 * The state that decides whether a store takes orders. Instants are ISO 8601; null for no pause, or a staff pause without an end. A staff
 * pause may be over. No order can be paid while the provider restricts the account.
 */
export interface TakingOrders extends Closing {
  readonly live: boolean;
  readonly connected_account_id: string | null;
  readonly account_restricted: boolean;
  readonly hours: readonly Opening[];
  readonly paused_until: string | null;
  readonly staff_pause: boolean;
  readonly staff_pause_until: string | null;
}

/** Returns why a store takes no order of any kind, STORE_NOT_ACCEPTING_ORDERS; null when it takes orders. */
export function refusalOfStore(store: TakingOrders, now: Date): Problem | null {
  if (!store.live || !store.connected_account_id || store.account_restricted) return new Problem('STORE_NOT_ACCEPTING_ORDERS');
  const until = pausedUntil(store, now);
  if (until === null) return null;
  if (until === Number.POSITIVE_INFINITY) return new Problem('STORE_NOT_ACCEPTING_ORDERS');
  return new Problem('STORE_NOT_ACCEPTING_ORDERS', {
    message: `The store takes no orders until ${atStore(new Date(until), store.time_zone)}.`,
  });
}

/** Returns when the pauses of the directory and of staff are both over, in epoch milliseconds; null when the store is not paused. */
function pausedUntil(store: TakingOrders, now: Date): number | null {
  const byDirectory = store.paused_until === null ? 0 : Date.parse(store.paused_until);
  const until = Math.max(byDirectory, store.staff_pause ? endOf(store.staff_pause_until) : 0);
  return until > now.getTime() ? until : null;
}

export const isPausedByStaff = (
  { staff_pause, staff_pause_until }: Pick<TakingOrders, 'staff_pause' | 'staff_pause_until'>,
  now: Date,
): boolean => staff_pause && endOf(staff_pause_until) > now.getTime();

const endOf = (until: string | null): number => (until === null ? Number.POSITIVE_INFINITY : Date.parse(until));

/** Returns why a store takes no immediate order, STORE_CLOSED; null when it is open. */
export function refusalAtOnce(store: TakingOrders, now: Date): Problem | null {
  const closed = closedUntil(store.closures, now);
  if (closed) return new Problem('STORE_CLOSED', { message: `The store is closed until ${atStore(closed, store.time_zone)}.` });
  return isOpen(store.hours, store.time_zone, now) ? null : new Problem('STORE_CLOSED');
}

/**
 * Returns whether a store is open at an instant. Without any hours it is always open. An interval that closes before it opens runs past
 * midnight.
 */
export function isOpen(hours: readonly Opening[], timeZone: string, at: Date): boolean {
  if (hours.length === 0) return true;
  const today = localTime(at, timeZone).dayOfWeek;
  const yesterday = today === 1 ? 7 : today - 1;
  const time = timeAtStore(at, timeZone);
  return hours.some(({ day, opens, closes }) =>
    closes > opens
      ? day === today && opens <= time && time < closes
      : (day === today && opens <= time) || (day === yesterday && time < closes),
  );
}

const localTime = (at: Date, timeZone: string): Temporal.ZonedDateTime => at.toTemporalInstant().toZonedDateTimeISO(timeZone);

/** The time of day at the store, HH:MM. */
export const timeAtStore = (at: Date, timeZone: string): string =>
  localTime(at, timeZone).toPlainTime().toString({ smallestUnit: 'minute' });

/** A dated exception to the weekly hours. Instants are ISO 8601; the end is not part of it. */
export interface Closure {
  readonly starts_at: string;
  readonly ends_at: string;
}

export interface Closing {
  readonly time_zone: string;
  readonly closures: readonly Closure[];
}

/** Returns the end of the closures that overlap a span of time, or of those that follow without a gap; null when none overlaps it. */
export function closedUntil(closures: readonly Closure[], from: Date, to: Date = from): Date | null {
  const inOrder = closures.map((one) => [Date.parse(one.starts_at), Date.parse(one.ends_at)] as const).toSorted(([a], [b]) => a - b);
  const until = inOrder.reduce<number | null>((end, [starts, ends]) => {
    if (end !== null) return starts <= end ? Math.max(end, ends) : end;
    const overlaps = ends > from.getTime() && (starts < to.getTime() || starts === from.getTime());
    return overlaps ? ends : null;
  }, null);
  return until === null ? null : new Date(until);
}

export function atStore(instant: Date, timeZone: string): string {
  const formatter =
    sentenceFormats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  sentenceFormats.set(timeZone, formatter);
  return formatter.format(instant);
}

/** Cached by time zone: creating one takes much longer than using it. */
const sentenceFormats = new Map<string, Intl.DateTimeFormat>();

/** Returns when a store is open in the seven days from its local midnight: its hours without its closures, earliest first. */
export function openingsOfWeek({ hours, time_zone, closures }: Closing & { readonly hours: readonly Opening[] }, now: Date): Closure[] {
  const { open, ends } = weekOf(hours, time_zone, now.getTime());
  return closures
    .map((one) => [Date.parse(one.starts_at), Date.parse(one.ends_at)] as const)
    .filter(([closes, opensAgain]) => opensAgain > (open[0]?.[0] ?? ends) && closes < ends)
    .reduce(withoutClosure, open)
    .map(([from, to]) => ({ starts_at: new Date(from).toISOString(), ends_at: new Date(to).toISOString() }));
}

type Milliseconds = readonly [number, number];

interface Week {
  readonly day: Milliseconds;
  readonly ends: number;
  readonly open: readonly Milliseconds[];
}

/** Cached for a day by hours and zone: computing one takes as long as reading a menu. */
const weeks = new Map<string, Week>();
const mostWeeks = 1_000;

function weekOf(hours: readonly Opening[], timeZone: string, now: number): Week {
  const key = `${timeZone} ${JSON.stringify(hours)}`;
  const known = weeks.get(key);
  if (known && known.day[0] <= now && now < known.day[1]) return known;
  const today = localTime(new Date(now), timeZone).toPlainDate();
  const startOf = (days: number): number => today.add({ days }).toZonedDateTime(timeZone).epochMilliseconds;
  const open: readonly Milliseconds[] =
    hours.length === 0
      ? [[startOf(0), startOf(7)]]
      : [-1, 0, 1, 2, 3, 4, 5, 6]
          .flatMap((days) => spansOf(today.add({ days }), hours, timeZone))
          .filter(([, ends]) => ends > startOf(0))
          .toSorted(([a], [b]) => a - b);
  const week = { day: [startOf(0), startOf(1)] as const, ends: Math.max(0, ...open.map(([, end]) => end)), open };
  if (weeks.size >= mostWeeks) weeks.clear();
  weeks.set(key, week);
  return week;
}

const spansOf = (day: Temporal.PlainDate, hours: readonly Opening[], timeZone: string): Milliseconds[] =>
  hours
    .filter((opening) => opening.day === day.dayOfWeek)
    .map(({ opens, closes }) => {
      const lastDay = closes > opens ? day : day.add({ days: 1 });
      return [
        day.toZonedDateTime({ timeZone, plainTime: opens }).epochMilliseconds,
        lastDay.toZonedDateTime({ timeZone, plainTime: closes }).epochMilliseconds,
      ] as const;
    });

const withoutClosure = (open: readonly Milliseconds[], [closes, opensAgain]: Milliseconds): Milliseconds[] =>
  open.flatMap(([starts, ends]) =>
    [[starts, Math.min(ends, closes)] as const, [Math.max(starts, opensAgain), ends] as const].filter(([from, to]) => from < to),
  );
