import type { Clock } from '@corner/chassis/host';
import { randomOf } from './random.ts';

interface Waiting {
  readonly program: string;
  readonly atMs: number;
  readonly ring: () => void;
}

export const quarterMs = 900_000;

export class SimulatedClock implements Clock {
  readonly #startedAt: number;
  #elapsed = 0;
  readonly #waiting = new Set<Waiting>();

  readonly #seed: number;
  readonly jitter: () => number;

  constructor(startsAt: Date, seed = 1) {
    this.#startedAt = startsAt.getTime();
    this.#seed = seed;
    this.jitter = randomOf(seed, 'jitter').next;
  }

  readonly now = (): Date => new Date(this.#startedAt + this.#elapsed);

  readonly elapsedMs = (): number => this.#elapsed;

  readonly after = (milliseconds: number, ring: () => void) => this.#wait('', milliseconds, ring);

  /** Timers due at the same moment fire in the order of their programs' names, not of their creation. */
  of(program: string): Clock {
    const { now, elapsedMs } = this;
    return {
      now,
      elapsedMs,
      jitter: randomOf(this.#seed, program).next,
      after: (milliseconds, ring) => this.#wait(program, milliseconds, ring),
    };
  }

  #wait(program: string, milliseconds: number, ring: () => void) {
    const waiting = { program, atMs: this.#elapsed + Math.max(0, milliseconds), ring };
    this.#waiting.add(waiting);
    const forget = () => void this.#waiting.delete(waiting);
    return { unref() {}, [Symbol.dispose]: forget };
  }

  get nextMs(): number | null {
    const next = this.#next();
    return next && Math.max(0, next.atMs - this.#elapsed);
  }

  get waits(): string[] {
    return [...this.#waiting].map(({ program, atMs }) => `${program} ${atMs - this.#elapsed} ms`);
  }

  /** Timers fire in order of time, each in its own turn of the event loop. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#elapsed + milliseconds;
    for (let next = this.#next(); next && next.atMs <= end; next = this.#next()) {
      this.#elapsed = Math.max(this.#elapsed, next.atMs);
      this.#waiting.delete(next);
      next.ring();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#elapsed = end;
  }

  /** Moves the clock in one step, as for a machine that slept: all timers due in between fire at the end, in order, once. */
  jump(milliseconds: number): void {
    this.#elapsed += milliseconds;
    const due = [...this.#waiting].filter(({ atMs }) => atMs <= this.#elapsed);
    due.sort((a, b) => a.atMs - b.atMs || a.program.localeCompare(b.program));
    for (const waiting of due) if (this.#waiting.delete(waiting)) waiting.ring();
  }

  #next(): Waiting | null {
    let next: Waiting | null = null;
    for (const waiting of this.#waiting) if (!next || waiting.atMs < next.atMs) next = waiting;
    return next;
  }
}
