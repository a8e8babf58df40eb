import type { Incarnation } from '@corner/contracts';
import type { Place } from './delivery.ts';

/**
 * Classifies an event by the producer's incarnations, oldest first: `known`; `forgotten`, when the incarnation was succeeded below this
 * number; `unknown`, when it is not in the list.
 */
export function placeIn(incarnations: readonly Incarnation[], { incarnation, number }: Place): 'known' | 'forgotten' | 'unknown' {
  const index = incarnations.findIndex(({ id }) => id === incarnation.id);
  if (index === -1) return 'unknown';
  const successor = incarnations[index + 1];
  return successor && number >= successor.begins ? 'forgotten' : 'known';
}

/** Returns the last number that means the same event under both lists of incarnations; infinity when they never part. */
export function commonEnd(ours: readonly Incarnation[], theirs: readonly Incarnation[]): number {
  const index = ours.findLastIndex(({ id }) => theirs.some((other) => other.id === id));
  if (index === -1) return (theirs[0]?.begins ?? 1) - 1;
  const theirSuccessor = theirs[theirs.findIndex(({ id }) => id === ours[index]?.id) + 1];
  return Math.min(ours[index + 1]?.begins ?? Number.POSITIVE_INFINITY, theirSuccessor?.begins ?? Number.POSITIVE_INFINITY) - 1;
}

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
