import { sql } from 'slonik';
import { z } from 'zod';
import { type Log, withLogFields } from '../telemetry/log.ts';
import { observe } from '../telemetry/metrics.ts';
import type { Queries } from './database.ts';

export interface DatabaseClock {
  readonly now: () => Date;
  follow(database: Queries, log: Log): Promise<Disposable>;
}

/** The tolerated difference of two clocks. Nothing that replicas agree on is shorter than several seconds. */
const toleratedMs = 1_000;
const everyMs = 60_000;
const betweenAttemptsMs = 1_000;

/**
 * Returns a service's clock. Replicas compare times that they wrote, so a difference of over a second from Postgres's clock is added to
 * this process's. After a jump, elapsed time counts until the next comparison. `ownTime` is in milliseconds. `follow` compares at once and
 * each minute, and resolves after the first attempt, even a failed one.
 */
export const databaseClock = (ownTime: () => number = Date.now): DatabaseClock => new ComparedClock(ownTime);

class ComparedClock implements DatabaseClock {
  readonly #ownTime: () => number;
  #base: { readonly own: number; readonly at: number; readonly aheadMs: number; readonly correctionMs: number };
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #attempt: (() => Promise<void>) | null = null;

  constructor(ownTime: () => number) {
    this.#ownTime = ownTime;
    this.#base = { own: ownTime(), at: performance.now(), aheadMs: 0, correctionMs: 0 };
  }

  readonly now = (): Date => {
    const own = this.#ownTime();
    const expected = this.#base.own + performance.now() - this.#base.at;
    if (Math.abs(own - expected) <= toleratedMs) return new Date(own + this.#base.correctionMs);
    if (performance.now() - this.#attemptedAt > betweenAttemptsMs) void this.#attempt?.();
    return new Date(expected + this.#base.correctionMs);
  };

  async follow(database: Queries, log: Log): Promise<Disposable> {
    const attempt = async (): Promise<void> => {
      this.#attemptedAt = performance.now();
      await withLogFields({ background: 'clock' }, () => this.#compare(database, log)).catch((error) =>
        log.warn({ err: error }, 'Postgres was not asked for the time: the service acts by the time it knows'),
      );
    };
    this.#attempt = attempt;
    await attempt();
    const timer = setInterval(attempt, everyMs).unref();
    const stopObserving = observe(['corner.clock.ahead'], (report) => report('corner.clock.ahead', this.#base.aheadMs / 1000, {}));
    return {
      [Symbol.dispose]: () => {
        this.#attempt = null;
        clearInterval(timer);
        stopObserving();
      },
    };
  }

  async #compare(database: Queries, log: Log): Promise<void> {
    const sentAt = performance.now();
    const time = await database.oneFirst(sql.type(z.object({ time: z.number() }))`
      select (1000 * extract(epoch from clock_timestamp()))::float8 as time`);
    const [own, at] = [this.#ownTime(), performance.now()];
    const uncertainMs = (at - sentAt) / 2;
    const aheadMs = own - time - uncertainMs;
    const wereApart = this.#base.correctionMs !== 0;
    const areApart = Math.abs(aheadMs) > toleratedMs + uncertainMs;
    this.#base = { own, at, aheadMs, correctionMs: areApart ? -aheadMs : 0 };
    const fields = { ahead_seconds: Math.round(aheadMs / 100) / 10 };
    if (areApart && !wereApart) log.warn(fields, 'the clock of this process differs from that of Postgres, by which the service acts now');
    if (!areApart && wereApart) log.info(fields, 'the clock of this process agrees with that of Postgres again');
  }
}
