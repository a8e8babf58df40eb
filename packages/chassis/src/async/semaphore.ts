/** A few may be at work at once; who comes later waits for a turn, but not for ever. */
export interface Semaphore {
  /** Runs `work` when it is its turn. Throws {@link SemaphoreTimeout} when none came free in time; `work` has not begun then. */
  run<T>(work: () => Promise<T>): Promise<T>;
  readonly size: number;
  readonly state: { readonly taken: number; readonly waiting: number };
}

/** Every turn is taken and stayed so. The code is Postgres's own for "too many connections": it passes by itself. */
export class SemaphoreTimeout extends Error {
  readonly code = '53300';
  constructor(waitMs: number) {
    super(`every connection was taken for ${waitMs} ms`);
    this.name = 'NoTurn';
  }
}

/** Gives out `size` turns, first come first served; `waitMs` is the longest wait, in milliseconds. */
export function createSemaphore(size: number, waitMs: number): Semaphore {
  const queue = new Set<() => void>();
  const state = {
    taken: 0,
    get waiting() {
      return queue.size;
    },
  };

  function turn(): Promise<void> | undefined {
    if (state.taken < size) {
      state.taken += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.delete(go);
        reject(new SemaphoreTimeout(waitMs));
      }, waitMs);
      queue.add(go);
    });
  }

  function pass(): void {
    const [next] = queue;
    if (!next) {
      state.taken -= 1;
      return;
    }
    queue.delete(next);
    next();
  }

  return {
    size,
    state,
    async run(work) {
      await turn();
      try {
        return await work();
      } finally {
        pass();
      }
    },
  };
}
