export interface BookingDay {
  readonly name: string;
  readonly times: readonly string[];
}

export function byDay(times: readonly { readonly starts_at: string }[], dayOf: (instant: string) => string): readonly BookingDay[] {
  const days = Map.groupBy(times, ({ starts_at }) => dayOf(starts_at));
  return [...days].map(([name, own]) => ({ name, times: own.map(({ starts_at }) => starts_at) }));
}
