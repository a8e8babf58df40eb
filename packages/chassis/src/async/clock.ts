import { perProgram } from './per-program.ts';

/** The time that a program waits by. The system's passes; a test's jumps. */
export interface Clock {
  now(): Date;
  /** Milliseconds since some moment, which no correction of the time of day moves. */
  elapsedMs(): number;
  /** Calls `ring` after so many milliseconds, unless the timer is disposed of before. */
  after(milliseconds: number, ring: () => void): Timer;
  /** A number from 0 up to 1, by which waits vary. */
  jitter(): number;
}

interface Timer extends Disposable {
  /** Lets the process end before. */
  unref(): unknown;
}

const systemClock: Clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  after: (milliseconds, ring) => setTimeout(ring, milliseconds),
  jitter: Math.random,
};

const own = perProgram<{ clock: Clock }>(() => ({ clock: systemClock }));

/** Has the program that calls it wait by this clock. What waits already goes on by the clock before. */
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
