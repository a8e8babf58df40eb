import { duration } from './format.ts';

export interface Placed {
  readonly at: string;
  readonly service: string;
}

/**
 * A row for each service, from 0 at the left to 1 at the right. Episodes are periods with facts; a gap between them takes a fixed width and
 * shows its length. A mark is one or more facts at the same place.
 */
export interface Timeline {
  readonly rows: readonly { readonly service: string; readonly marks: readonly Mark[] }[];
  readonly episodes: readonly { readonly from: number; readonly to: number; readonly lasts: string }[];
  readonly gaps: readonly { readonly at: number; readonly lasts: string }[];
}

export interface Mark {
  readonly x: number;
  readonly count: number;
}

const gapMs = 20_000;
const gapWidth = 0.04;
const places = 500;
const inset = 0.06;

export function timelineOf(facts: readonly Placed[]): Timeline {
  const times = facts.map(({ at }) => Date.parse(at));
  const stretches = stretchesOf(times);
  const weights = stretches.map(({ from, to }) => Math.log10(10 + (to - from)));
  const room = Math.max(0.2, 1 - gapWidth * (stretches.length - 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let left = 0;
  const placed = stretches.map((stretch, index) => {
    const width = (room * (weights[index] ?? 0)) / sum;
    const episode = { ...stretch, left, width };
    left += width + gapWidth;
    return episode;
  });
  const scale = Math.max(1, left - gapWidth);
  const at = placer(placed, scale);
  return {
    rows: rowsOf(facts, times, at),
    episodes: placed.map(({ left: from, width, from: begun, to: ended }) => ({
      from: from / scale,
      to: (from + width) / scale,
      lasts: duration(ended - begun),
    })),
    gaps: placed.slice(1).map(({ left: from, from: begun }, index) => ({
      at: (from - gapWidth / 2) / scale,
      lasts: duration(begun - (placed[index]?.to ?? begun)),
    })),
  };
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

function stretchesOf(times: readonly number[]): Stretch[] {
  const stretches: { from: number; to: number }[] = [];
  for (const time of times) {
    const last = stretches.at(-1);
    if (last === undefined || time - last.to > gapMs) stretches.push({ from: time, to: time });
    else last.to = Math.max(last.to, time);
  }
  return stretches;
}

function placer(placed: readonly (Stretch & { readonly left: number; readonly width: number })[], scale: number): (time: number) => number {
  return (time) => {
    const episode = placed.findLast(({ from }) => from <= time) ?? placed[0];
    if (episode === undefined) return 0;
    const share = episode.to === episode.from ? 0.5 : Math.min(1, (time - episode.from) / (episode.to - episode.from));
    return (episode.left + (inset + share * (1 - 2 * inset)) * episode.width) / scale;
  };
}

function rowsOf(facts: readonly Placed[], times: readonly number[], at: (time: number) => number): Timeline['rows'] {
  const rows = new Map<string, Map<number, number>>();
  for (const [index, { service }] of facts.entries()) {
    const marks = rows.get(service) ?? new Map<number, number>();
    const place = Math.round(at(times[index] ?? 0) * places);
    marks.set(place, (marks.get(place) ?? 0) + 1);
    rows.set(service, marks);
  }
  return [...rows].map(([service, marks]) => ({
    service,
    marks: [...marks].map(([place, count]) => ({ x: place / places, count })),
  }));
}
