/** Returns the formatter of a time zone, made once for each zone: making one costs a hundred times as much as using it. */
export function keptByZone(options: Intl.DateTimeFormatOptions): (timeZone: string) => Intl.DateTimeFormat {
  const kept = new Map<string, Intl.DateTimeFormat>();
  return (timeZone) => {
    const formatter = kept.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
    kept.set(timeZone, formatter);
    return formatter;
  };
}
