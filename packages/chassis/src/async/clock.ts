import { perProgram } from './per-program.ts';

/** The clock by which a program waits: the system's, or one that a test moves. `elapsedMs` is monotonic; `jitter` is from 0 up to 1. */
export interface Clock {
  now(): Date;
  elapsedMs(): number;
  after(milliseconds: number, ring: () => void): Timer;
  jitter(): number;
}

interface Timer extends Disposable {
  unref(): unknown;
}

const systemClock: Clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  after: (milliseconds, ring) => setTimeout(ring, milliseconds),
  jitter: Math.random,
};

const own = perProgram<{ clock: Clock }>(() => ({ clock: systemClock }));

/** Makes the calling program wait by this clock. Waits in progress keep the clock before. */
export function useClock(clock: Clock): void {
  own().clock = clock;
}

export const elapsedMs = (): number => own().clock.elapsedMs();

export const jitter = (): number => own().clock.jitter();

export const after = (milliseconds: number, ring: () => void): Timer => own().clock.after(milliseconds, ring);

/** Resolves after so many milliseconds, or once `signal` is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  using _ = after(milliseconds, end);
  signal?.addEventListener('abort', end, { once: true });
  await promise;
  signal?.removeEventListener('abort', end);
}
