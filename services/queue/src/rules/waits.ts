/** Minutes: a quoted wait is kept when a chair is offered at most so much later. */
export const graceMinutes = 5;

const keptDays = 28;
const fewestQuotes = 20;

/** Returns which quotes are compared: those of today at the store and of the 27 days before, so that a reader can count the same. */
export function keptQuotes(now: Date, timeZone: string): KeptQuotes {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).startOfDay();
  return { since: new Date(today.subtract({ days: keptDays - 1 }).epochMilliseconds), fewest: fewestQuotes, graceMinutes };
}

/**
 * Returns the minutes between which eight of ten chairs are offered, by the spread of past quotes. Null without a wait, and with too few
 * quotes.
 */
export function waitRange(waitMinutes: number | null, spread: Spread): { readonly from_min: number; readonly to_min: number } | null {
  const [early, late] = spread ?? [];
  if (waitMinutes === null || early === undefined || late === undefined) return null;
  return { from_min: Math.max(0, waitMinutes + early), to_min: Math.max(0, waitMinutes + late) };
}

/**
 * Returns the public figures: the percentage of quotes that were kept, and the minutes by which nine of ten were late at most. Null with
 * too few quotes.
 */
export function keptView({ offered, kept, spread }: Kept) {
  const late = spread?.[1];
  return late === undefined
    ? { kept_percent: null, late_by_min: null, quotes: offered }
    : { kept_percent: Math.round((100 * kept) / offered), late_by_min: Math.max(0, late), quotes: offered };
}

export interface KeptQuotes {
  readonly since: Date;
  readonly fewest: number;
  readonly graceMinutes: number;
}

/**
 * The tenth and the ninetieth percentile of the minutes by which chairs were offered later than quoted; below 0 for early. Null with too
 * few quotes.
 */
export type Spread = readonly number[] | null;

export interface Kept {
  readonly offered: number;
  readonly kept: number;
  readonly spread: Spread;
}
