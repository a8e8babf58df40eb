import { Problem } from '@corner/contracts';

export interface Turns {
  /**
   * Resolves to a connection, which is kept until disposal. Throws UPSTREAM_UNAVAILABLE with Retry-After when none is free in time or too
   * many wait already, and the signal's reason when it is aborted.
   */
  take(left: AbortSignal): Promise<Disposable>;
}

export function createTurns({ count, mostWaiting, waitMs }: TurnsOptions): Turns {
  let free = count;
  const waiting = new Set<() => void>();
  const pass = () => {
    const [next] = waiting;
    if (next) next();
    else free += 1;
  };
  const wait = (left: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (waiting.size >= mostWaiting) return reject(noTurn());
      const settle = (then: () => void) => () => {
        waiting.delete(begin);
        clearTimeout(timer);
        left.removeEventListener('abort', leave);
        then();
      };
      const begin = settle(resolve);
      const leave = settle(() => reject(left.reason));
      const timer = setTimeout(
        settle(() => reject(noTurn())),
        waitMs,
      );
      left.addEventListener('abort', leave, { once: true });
      waiting.add(begin);
    });
  return {
    async take(left) {
      left.throwIfAborted();
      if (free > 0) free -= 1;
      else await wait(left);
      let isTaken = true;
      return {
        [Symbol.dispose]() {
          if (isTaken) pass();
          isTaken = false;
        },
      };
    },
  };
}

const noTurn = (): Problem =>
  new Problem('UPSTREAM_UNAVAILABLE', { message: 'All connections to the gateway are in use.', retryAfterSeconds: 2 });

interface TurnsOptions {
  readonly count: number;
  readonly mostWaiting: number;
  readonly waitMs: number;
}
