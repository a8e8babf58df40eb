/** A signal with which one loop of a process wakes another. A signal raised while that loop looks for work is not lost. */
export interface Signal {
  raise(): void;
  /** Raises the signal after a time, unless the process ends before. */
  raiseAfter(milliseconds: number): void;
  /**
   * Call it before looking for work, then wait with the function it returns: a signal raised in between ends the wait at once.
   * The wait takes at most `timeoutMs` milliseconds, where given, and returns whether the signal was raised.
   */
  arm(): (timeoutMs?: number) => Promise<boolean>;
}

/** Node ends a timer that is set longer at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Makes a signal that has not been raised. */
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
      setTimeout(raise, Math.min(milliseconds, longestTimerMs)).unref();
    },
    arm() {
      const countWhenArmed = count;
      return (timeoutMs) =>
        new Promise<boolean>((resolve) => {
          if (count !== countWhenArmed) return resolve(true);
          const timer = timeoutMs === undefined ? undefined : setTimeout(finish, timeoutMs);
          function finish() {
            clearTimeout(timer);
            wake = null;
            resolve(count !== countWhenArmed);
          }
          wake = finish;
        });
    },
  };
}
