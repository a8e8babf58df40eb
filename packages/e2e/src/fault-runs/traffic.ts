import { setTimeout as pause } from 'node:timers/promises';
import type { Stage } from './stage.ts';
import { type Visit, type VisitKind, visit } from './visit.ts';

const shares: readonly (readonly [VisitKind, number])[] = [
  ['free order', 10],
  ['paid order', 7],
  ['refunded order', 3],
  ['stamp', 2],
  ['party', 2],
];
const everyShare = shares.reduce((sum, [, share]) => sum + share, 0);

export interface TrafficOptions {
  readonly perSecond: number;
  readonly seconds: number;
  readonly until: Promise<unknown>;
  readonly random: () => number;
}

/**
 * Starts visits at a steady rate for `seconds` and then until `until` resolves, without waiting for earlier ones. Resolves when the last
 * has a response or has given up.
 */
export async function runTraffic(stage: Stage, { perSecond, seconds, until, random }: TrafficOptions): Promise<Visit[]> {
  const visits: Promise<Visit>[] = [];
  const startedAt = performance.now();
  let over = false;
  void until.finally(() => {
    over = true;
  });
  for (let n = 0; !over || n < perSecond * seconds; n += 1) {
    await pause(Math.max(0, startedAt + (n * 1000) / perSecond - performance.now()));
    visits.push(visit(kindAt(random()), stage.visitor(random)));
  }
  return await Promise.all(visits);
}

function kindAt(drawn: number): VisitKind {
  let left = drawn * everyShare;
  for (const [kind, share] of shares) {
    if (left < share) return kind;
    left -= share;
  }
  return 'free order';
}
