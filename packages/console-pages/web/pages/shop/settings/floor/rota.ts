import type { WeeklySpan } from '@corner/contracts';

export interface RotaCell {
  readonly shifts: readonly string[];
  readonly breaks: readonly string[];
}

interface Rostered {
  readonly id: string;
  readonly name: string;
  readonly weekly_shifts: readonly WeeklySpan[];
  readonly weekly_breaks: readonly WeeklySpan[];
}

export const rotaOf = ({ weekly_shifts, weekly_breaks }: Rostered): readonly RotaCell[] =>
  Array.from({ length: 7 }, (_, index) => ({ shifts: textsOn(weekly_shifts, index + 1), breaks: textsOn(weekly_breaks, index + 1) }));

const textsOn = (spans: readonly WeeklySpan[], day: number): string[] =>
  spans
    .filter(({ days, from, to }) => days.includes(day) && from !== '' && to !== '')
    .toSorted((a, b) => a.from.localeCompare(b.from))
    .map(({ from, to }) => `${from}–${to}${to > from ? '' : ' the day after'}`);
