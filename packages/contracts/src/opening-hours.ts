/** Milliseconds that a late customer has at least, at a store that never closes: it serves after midnight too. */
const minimumUntilDayEnds = 4 * 3_600_000;

/**
 * Returns the last closing time of the day that `at` belongs to, both in epoch milliseconds; null on a day without an opening. Time after
 * midnight belongs to the day before while its opening lasts. Without hours, the day ends at local midnight, or four hours after `at` if
 * later.
 */
export function closingTime(hours: readonly Opening[], timeZone: string, at: number): number | null {
  const today = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate();
  if (hours.length === 0) return Math.max(today.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds, at + minimumUntilDayEnds);
  const yesterday = lastClosing(hours, timeZone, today.subtract({ days: 1 }));
  return yesterday !== null && at < yesterday ? yesterday : lastClosing(hours, timeZone, today);
}

/** Returns whether a store is open. An opening of the day before may last past midnight; without hours a store is always open. */
export function isOpenAt(hours: readonly Opening[], timeZone: string, at: number): boolean {
  if (hours.length === 0) return true;
  const today = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate();
  return [today.subtract({ days: 1 }), today]
    .flatMap((day) => openingsOf(hours, timeZone, day))
    .some(({ opens, closes }) => opens <= at && at < closes);
}

/** A time that the clocks show twice is the first of the two; a skipped one moves later by the gap. */
function lastClosing(hours: readonly Opening[], timeZone: string, day: Temporal.PlainDate): number | null {
  const closings = openingsOf(hours, timeZone, day).map(({ closes }) => closes);
  return closings.length === 0 ? null : Math.max(...closings);
}

const openingsOf = (hours: readonly Opening[], timeZone: string, day: Temporal.PlainDate) => {
  const instantOf = (on: Temporal.PlainDate, plainTime: string) => on.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
  return hours
    .filter((opening) => opening.day === day.dayOfWeek)
    .map(({ opens, closes }) => ({ opens: instantOf(day, opens), closes: instantOf(closes > opens ? day : day.add({ days: 1 }), closes) }));
};

/** Returns the closing time if it is after `at`, else the end of the local day. */
export function endOfDay(hours: readonly Opening[], timeZone: string, at: number): number {
  const closes = closingTime(hours, timeZone, at);
  return closes !== null && closes > at ? closes : (closingTime([], timeZone, at) ?? at);
}

/** `day` 1 is Monday; times are HH:MM in the store's zone. A closing time before the opening time is on the next day. */
export interface Opening {
  readonly day: number;
  readonly opens: string;
  readonly closes: string;
}
