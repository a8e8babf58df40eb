import { minuteOf } from '@corner/page-kit/logic/zones';

/** 1 is Monday. A closing time that is not after the opening is on the next day. */
export interface Opening {
  readonly day: number;
  readonly opens: string;
  readonly closes: string;
}

export const days = [1, 2, 3, 4, 5, 6, 7] as const;
export const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
export const nameOfDay = (day: number): string => dayNames[day - 1] ?? '';

const usual = { opens: '09:00', closes: '17:00' };
export const usualWeek: readonly Opening[] = days.slice(0, 5).map((day) => ({ day, ...usual }));

export function withOpening(hours: readonly Opening[], day: number): readonly Opening[] {
  const last = hours.findLast((opening) => opening.day === day);
  const begins = last ? Math.min(minuteOf(last.closes) + 60, 22 * 60) : 0;
  const time = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  const added = last ? { day, opens: time(begins), closes: time(Math.min(begins + 180, 23 * 60)) } : { day, ...usual };
  return [...hours, added].toSorted((a, b) => a.day - b.day);
}

export function copyDay(hours: readonly Opening[], from: number, to: readonly number[]): readonly Opening[] {
  const openings = hours.filter(({ day }) => day === from);
  const kept = hours.filter(({ day }) => day === from || !to.includes(day));
  const copies = to.filter((day) => day !== from).flatMap((day) => openings.map((opening) => ({ ...opening, day })));
  return [...kept, ...copies].toSorted((a, b) => a.day - b.day);
}

export function noteOf(hours: readonly Opening[], index: number): string | null {
  const opening = hours[index];
  if (!opening) return null;
  const { day, opens, closes } = opening;
  const overlaps = hours.slice(0, index).some((other) => other.day === day && opens < endOf(other) && other.opens < endOf(opening));
  if (overlaps) return 'Overlaps the hours before.';
  if (opens === closes) return 'Open for 24 hours.';
  return closes < opens ? `Until ${nameOfDay((day % 7) + 1)}.` : null;
}

const endOf = ({ opens, closes }: Opening): string => (closes > opens ? closes : '24:00');

export function weekText(hours: readonly Opening[]): string {
  if (hours.length === 0) return 'always open';
  const textOf = (day: number) =>
    hours
      .filter((opening) => opening.day === day)
      .map(({ opens, closes }) => `${opens}–${closes}`)
      .join(' and ');
  const runs: { readonly first: number; readonly last: number; readonly text: string }[] = [];
  for (const day of days) {
    const before = runs.at(-1);
    if (before?.text === textOf(day)) runs.splice(-1, 1, { ...before, last: day });
    else runs.push({ first: day, last: day, text: textOf(day) });
  }
  const short = (day: number) => nameOfDay(day).slice(0, 3);
  return runs
    .filter(({ text }) => text !== '')
    .map(({ first, last, text }) => `${first === last ? short(first) : `${short(first)}–${short(last)}`} ${text}`)
    .join(', ');
}
