/** Lets a limited number of tasks run at once. A further task waits its turn, first come first served, and not for ever. */
export interface Semaphore {
  /** Runs `work` once a permit is free; `ahead` goes before other waiters. Throws {@link SemaphoreTimeout} without having begun. */
  run<T>(work: () => Promise<T>, options?: { readonly ahead: boolean }): Promise<T>;
  readonly size: number;
  waiting(): number;
}

/** No permit came free in time. The code is Postgres's own for "too many connections", so the fault counts as transient. */
class SemaphoreTimeout extends Error {
  override readonly name = 'SemaphoreTimeout';
  readonly code = '53300';
  constructor(waitMs: number) {
    super(`every connection was taken for ${waitMs} ms`);
  }
}

/** Creates a semaphore with `size` permits. `waitMs` is the longest wait for one, in milliseconds. */
export function createSemaphore(size: number, waitMs: number): Semaphore {
  const queue = new Set<() => void>();
  const queueAhead = new Set<() => void>();
  let taken = 0;

  function acquire(waiting: Set<() => void>): Promise<void> | undefined {
    if (taken < size) {
      taken += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const proceed = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(proceed);
        reject(new SemaphoreTimeout(waitMs));
      }, waitMs);
      waiting.add(proceed);
    });
  }

  function release(): void {
    const waiting = queueAhead.size > 0 ? queueAhead : queue;
    const [proceed] = waiting;
    if (!proceed) {
      taken -= 1;
      return;
    }
    waiting.delete(proceed);
    proceed();
  }

  return {
    size,
    waiting: () => queue.size + queueAhead.size,
    async run(work, { ahead } = { ahead: false }) {
      await acquire(ahead ? queueAhead : queue);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
