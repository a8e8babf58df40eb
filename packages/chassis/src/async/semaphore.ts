/**
 * Limits how many tasks run at once. Tasks wait in order of arrival, those with `ahead` before the others. `run` throws
 * {@link SemaphoreTimeout}, without having begun, when no permit comes in time.
 */
export interface Semaphore {
  run<T>(work: () => Promise<T>, options?: { readonly ahead: boolean }): Promise<T>;
  readonly size: number;
  waiting(): number;
}

/** The code is Postgres's "too many connections", so the fault counts as transient. */
class SemaphoreTimeout extends Error {
  override readonly name = 'SemaphoreTimeout';
  readonly code = '53300';
  constructor(waitMs: number) {
    super(`every connection was taken for ${waitMs} ms`);
  }
}

/** `waitMs` is the longest wait for a permit, in milliseconds. */
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
