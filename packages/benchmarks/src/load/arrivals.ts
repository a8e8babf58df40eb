import { setTimeout as pause } from 'node:timers/promises';

/** The hour, the share of visitors then, and the hours within which it falls to 0.6 of that. */
const peaks = [
  [8.5, 1, 0.8],
  [12.5, 0.97, 0.9],
  [15.5, 0.3, 2],
] as const;
const shareAt = (hour: number): number =>
  Math.max(0.02, ...peaks.map(([at, share, width]) => share * Math.exp(-0.5 * ((hour - at) / width) ** 2)));

/** Seconds from the start at which visitors come on a day compressed into `seconds`; `atPeak` is visitors a second. */
export function arrivalsOf(seconds: number, atPeak: number): number[] {
  const arrivals: number[] = [];
  for (let at = 0; at < seconds; at += 1 / (atPeak * shareAt((at / seconds) * 24))) arrivals.push(at);
  return arrivals;
}

export const untilDue = (at: number): Promise<number> => pause(Math.max(0, at - performance.now()), at);

/** Begins each visit when it is due, whether earlier ones have ended or not. Once one has failed no other begins, and it rejects. */
export async function runDay(seconds: number, atPeak: number, visit: (dueAt: number) => Promise<void>): Promise<void> {
  const visits: Promise<void>[] = [];
  const faults: unknown[] = [];
  const startedAt = performance.now();
  for (const at of [...arrivalsOf(seconds, atPeak), seconds]) {
    const dueAt = startedAt + at * 1000;
    await untilDue(dueAt);
    if (faults.length > 0) break;
    if (at < seconds) visits.push(visit(dueAt).catch((error: unknown) => void faults.push(error)));
  }
  await Promise.all(visits);
  if (faults.length > 0) throw faults[0];
}
