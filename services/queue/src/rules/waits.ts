/** A quoted wait is kept when a chair is offered at most so many minutes later. */
export const graceMinutes = 5;

/** The days of which a store’s quotes say how well it keeps them, and how many quotes that needs. */
export const keptDays = 28;
const fewestQuotes = 20;

/**
 * Returns what may be said in public of how well a store keeps its quotes: the percentage that was kept, and the minutes by which nine of ten were
 * late at most. Null for a store with too few quotes.
 */
export function keptView({
  offered,
  kept,
  late_p90_min,
}: {
  readonly offered: number;
  readonly kept: number;
  readonly late_p90_min: number | null;
}) {
  return offered < fewestQuotes
    ? { kept_percent: null, late_by_min: null, quotes: offered }
    : { kept_percent: Math.round((100 * kept) / offered), late_by_min: Math.max(0, late_p90_min ?? 0), quotes: offered };
}
