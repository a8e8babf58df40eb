import type { Incarnation } from '@corner/contracts';
import type { Place } from './delivery.ts';

/**
 * Says what the list of a producer's incarnations, oldest first, makes of an event: `known`, since its number was given under the incarnation that the list
 * has for it; `forgotten`, since the incarnation goes on under another one below this number; `unknown`, since the incarnation is not in the list.
 */
export function placeIn(incarnations: readonly Incarnation[], { incarnation, number }: Place): 'known' | 'forgotten' | 'unknown' {
  const index = incarnations.findIndex(({ id }) => id === incarnation.id);
  if (index === -1) return 'unknown';
  const successor = incarnations[index + 1];
  return successor && number >= successor.begins ? 'forgotten' : 'known';
}

/**
 * Returns the last number that means the same event under both lists of incarnations, oldest first; infinity when they never part. `theirs` are
 * those of the producer's database.
 */
export function commonEnd(ours: readonly Incarnation[], theirs: readonly Incarnation[]): number {
  const index = ours.findLastIndex(({ id }) => theirs.some((other) => other.id === id));
  if (index === -1) return (theirs[0]?.begins ?? 1) - 1;
  const theirSuccessor = theirs[theirs.findIndex(({ id }) => id === ours[index]?.id) + 1];
  return Math.min(ours[index + 1]?.begins ?? Number.POSITIVE_INFINITY, theirSuccessor?.begins ?? Number.POSITIVE_INFINITY) - 1;
}

/** Returns the ranges of numbers between `from` and `to` that are not in `present`. */
export function rangesWithout(present: ReadonlySet<number>, from: number, to: number): { readonly from: number; readonly to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  const inside = [...present].filter((number) => number >= from && number <= to).sort((a, b) => a - b);
  let begin = from;
  for (const number of [...inside, to + 1]) {
    if (number > begin) ranges.push({ from: begin, to: number - 1 });
    begin = number + 1;
  }
  return ranges;
}
