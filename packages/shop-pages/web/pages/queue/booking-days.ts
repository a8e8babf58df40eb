/** A day with the times that are free on it. */
export interface BookingDay {
  /** As it is shown: Tomorrow, or Friday 4 December. */
  readonly name: string;
  /** Instants, in order. */
  readonly times: readonly string[];
}

/** Groups free times by their day at the shop, which `dayOf` writes. */
export function byDay(times: readonly { readonly starts_at: string }[], dayOf: (instant: string) => string): readonly BookingDay[] {
  const days = Map.groupBy(times, ({ starts_at }) => dayOf(starts_at));
  return [...days].map(([name, own]) => ({ name, times: own.map(({ starts_at }) => starts_at) }));
}
