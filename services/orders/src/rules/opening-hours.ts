/** A weekly opening interval. Day 1 is Monday; times are HH:MM in the store's zone. */
export interface Opening {
  readonly day: number;
  readonly opens: string;
  readonly closes: string;
}

/** Returns whether a store is open at an instant. Without any hours it is always open. An interval that closes before it opens runs past midnight. */
export function isOpen(hours: readonly Opening[], timeZone: string, at: Date): boolean {
  if (hours.length === 0) return true;
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string) => parts.find((p) => p.type === type)?.value ?? '';
  const day = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(part('weekday')) + 1;
  const time = `${part('hour')}:${part('minute')}`;
  const yesterday = day === 1 ? 7 : day - 1;
  return hours.some(({ day: on, opens, closes }) =>
    closes > opens ? on === day && opens <= time && time < closes : (on === day && opens <= time) || (on === yesterday && time < closes),
  );
}
