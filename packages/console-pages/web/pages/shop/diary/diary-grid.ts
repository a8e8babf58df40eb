import { instantAt, minuteOf, wallTimeAt, weekdayOf } from '@corner/page-kit/logic/zones';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const usual = { from: '09:00', to: '18:00' } as const;

export interface Timed {
  readonly from: number;
  readonly to: number;
}

export interface Shifted {
  readonly weekly_shifts: readonly { readonly days: readonly number[]; readonly from: string; readonly to: string }[];
}

export interface GridDay extends Timed {
  readonly hours: readonly { readonly at: number; readonly text: string }[];
}

export function gridDay(
  day: Timed & { readonly date: string },
  zone: string,
  chairs: readonly Shifted[],
  taken: readonly Timed[],
): GridDay {
  const at = (time: string) => instantAt(day.date, minuteOf(time), zone);
  const shifts = chairs
    .flatMap(({ weekly_shifts }) => weekly_shifts)
    .filter(({ days }) => days.includes(weekdayOf(day.date)))
    // A shift that ends before it begins ends on the next day.
    .map(({ from, to }) => ({ from: at(from), to: to > from ? at(to) : day.to }));
  const spans = [...shifts, ...taken];
  const shown = spans.length > 0 ? spans : [{ from: at(usual.from), to: at(usual.to) }];
  const from = Math.max(day.from, Math.floor(Math.min(...shown.map((span) => span.from)) / hourMs) * hourMs);
  const to = Math.min(day.to, Math.ceil(Math.max(...shown.map((span) => span.to)) / hourMs) * hourMs);
  const hours = Array.from({ length: Math.max(1, Math.ceil((to - from) / hourMs)) }, (_, hour) => from + hour * hourMs);
  return { from, to, hours: hours.map((hour) => ({ at: hour, text: wallTimeAt(hour, zone).time })) };
}

export interface Placed {
  readonly top: number;
  readonly minutes: number;
  readonly track: number;
  readonly tracks: number;
}

export function placed(taken: readonly Timed[], { from, to }: Timed): readonly Placed[] {
  const tracks: number[] = [];
  const besideOthers = taken.map((span) => {
    const free = tracks.findIndex((end) => end <= span.from);
    const track = free === -1 ? tracks.length : free;
    tracks[track] = span.to;
    return { span, track };
  });
  return besideOthers.map(({ span, track }) => {
    const top = Math.max(0, span.from - from) / minuteMs;
    const isAlone = !besideOthers.some(({ span: other }) => other !== span && other.from < span.to && span.from < other.to);
    return {
      top,
      minutes: (Math.min(span.to, to) - Math.max(span.from, from)) / minuteMs,
      ...(isAlone ? { track: 0, tracks: 1 } : { track, tracks: tracks.length }),
    };
  });
}
