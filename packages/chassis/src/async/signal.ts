/** A wake-up call between two loops of one process. It is remembered until the next look, so none is lost. */
export interface Signal {
  raise(): void;
  /**
   * Call it before looking for work, then wait with the function it returns: a signal raised in between ends the wait at once.
   * The wait takes at most `timeoutMs` milliseconds and returns whether the signal was raised.
   */
  arm(): (timeoutMs: number) => Promise<boolean>;
}

export function createSignal(): Signal {
  let count = 0;
  let wake: (() => void) | null = null;
  return {
    raise() {
      count += 1;
      wake?.();
    },
    arm() {
      const countWhenArmed = count;
      return (timeoutMs) =>
        new Promise<boolean>((resolve) => {
          if (count !== countWhenArmed) return resolve(true);
          const timer = setTimeout(finish, timeoutMs);
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
