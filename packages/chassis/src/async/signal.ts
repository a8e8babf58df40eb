/** A bell that remembers having been rung. */
export interface Signal {
  raise(): void;
  /** Call before looking; then wait with what it returns: a ring in between ends the wait at once. Answers whether it rang. */
  arm(): (timeoutMs: number) => Promise<boolean>;
}

/** Makes a bell nobody has rung. */
export function createSignal(): Signal {
  let rings = 0;
  let wake: (() => void) | null = null;
  return {
    raise() {
      rings += 1;
      wake?.();
    },
    arm() {
      const before = rings;
      return (timeoutMs) =>
        new Promise<boolean>((resolve) => {
          if (rings !== before) return resolve(true);
          const timer = setTimeout(done, timeoutMs);
          function done() {
            clearTimeout(timer);
            wake = null;
            resolve(rings !== before);
          }
          wake = done;
        });
    },
  };
}
