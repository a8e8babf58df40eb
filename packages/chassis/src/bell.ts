/** A bell that remembers having been rung. */
export interface Bell {
  ring(): void;
  /** Call before looking; then wait with what it returns: a ring in between ends the wait at once. Answers whether it rang. */
  armed(): (timeoutMs: number) => Promise<boolean>;
}

/** Makes a bell nobody has rung. */
export function createBell(): Bell {
  let rings = 0;
  let wake: (() => void) | null = null;
  return {
    ring() {
      rings += 1;
      wake?.();
    },
    armed() {
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
