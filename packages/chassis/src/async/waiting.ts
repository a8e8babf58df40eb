import { after, jitter } from './clock.ts';

/** Milliseconds to wait after `faults` faults in a row (0 for the first): 50 doubling to 5,000, or to `most`, with full jitter. */
export const backoffMs = (faults: number, most = 5_000): number => Math.ceil(jitter() * Math.min(most, 50 * 2 ** Math.min(faults, 7)));

/** Returns the result of `reading`, or `late` after 2 s: a probe waits little longer than that. */
export async function inTime<T>(reading: Promise<T>, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), 2_000);
  });
  return await Promise.race([reading, timeout]).finally(() => clearTimeout(timer));
}

/**
 * Wakes one loop of a process from another. Call `arm` before looking for work, then wait with its result, `timeoutMs` at most; it resolves
 * to whether the signal was raised since. So a signal raised during the search is not lost.
 */
export interface Signal {
  raise(): void;
  raiseAfter(milliseconds: number): void;
  arm(): (timeoutMs?: number) => Promise<boolean>;
}

/** Node fires a longer timer at once. */
const longestTimerMs = 2 ** 31 - 1;

export function createSignal(): Signal {
  let count = 0;
  let wake: (() => void) | null = null;
  const raise = () => {
    count += 1;
    wake?.();
  };
  return {
    raise,
    raiseAfter(milliseconds) {
      after(Math.min(milliseconds, longestTimerMs), raise).unref();
    },
    arm() {
      const countWhenArmed = count;
      return (timeoutMs) =>
        new Promise<boolean>((resolve) => {
          if (count !== countWhenArmed) return resolve(true);
          const timer = timeoutMs === undefined ? undefined : after(timeoutMs, finish);
          function finish() {
            timer?.[Symbol.dispose]();
            wake = null;
            resolve(count !== countWhenArmed);
          }
          wake = finish;
        });
    },
  };
}
