import { sql } from 'slonik';
import { z } from 'zod';
import { type Log, withLogFields } from '../telemetry/log.ts';
import { observe } from '../telemetry/metrics.ts';
import type { Queries } from './database.ts';

/** The time by which a service acts: this process's own, or Postgres's where the two are apart. */
export interface DatabaseClock {
  /** Returns the time. Until Postgres has been asked, it is this process's own. */
  readonly now: () => Date;
  /** Asks Postgres for its time, now and each minute. Resolves after the first attempt, also when that failed. */
  follow(database: Queries, log: Log): Promise<Disposable>;
}

/** Milliseconds by which two clocks may differ. Nothing that replicas agree on is shorter than several seconds. */
const toleratedMs = 1_000;
const everyMs = 60_000;
/** Milliseconds from one attempt to the next where this process's clock has jumped. */
const betweenAttemptsMs = 1_000;

/**
 * Makes the clock of a service. Replicas compare times that they wrote in the database, such as when a message is due and which rows are old
 * enough to be deleted, so they must agree on the time. Where the clock of this process is more than a second from that of Postgres, the
 * difference is added to it. When it jumps, the time that has passed counts until Postgres has been asked again. `ownTime` returns this process's
 * time in milliseconds.
 */
export function databaseClock(ownTime: () => number = Date.now): DatabaseClock {
  let base = { own: ownTime(), at: performance.now(), aheadMs: 0, correctionMs: 0 };
  let measure = () => {};

  const now = (): Date => {
    const own = ownTime();
    const expected = base.own + performance.now() - base.at;
    if (Math.abs(own - expected) <= toleratedMs) return new Date(own + base.correctionMs);
    measure();
    return new Date(expected + base.correctionMs);
  };

  async function compare(database: Queries, log: Log): Promise<void> {
    const sentAt = performance.now();
    const time = await database.oneFirst(sql.type(z.object({ time: z.number() }))`
      select (1000 * extract(epoch from clock_timestamp()))::float8 as time`);
    const [own, at] = [ownTime(), performance.now()];
    const uncertainMs = (at - sentAt) / 2;
    const aheadMs = own - time - uncertainMs;
    const wereApart = base.correctionMs !== 0;
    const areApart = Math.abs(aheadMs) > toleratedMs + uncertainMs;
    base = { own, at, aheadMs, correctionMs: areApart ? -aheadMs : 0 };
    const fields = { ahead_seconds: Math.round(aheadMs / 100) / 10 };
    if (areApart && !wereApart) log.warn(fields, 'the clock of this process differs from that of Postgres, by which the service acts now');
    if (!areApart && wereApart) log.info(fields, 'the clock of this process agrees with that of Postgres again');
  }

  return {
    now,
    async follow(database, log) {
      let attemptedAt = Number.NEGATIVE_INFINITY;
      const attempt = async () => {
        attemptedAt = performance.now();
        await withLogFields({ background: 'clock' }, () => compare(database, log)).catch((error) =>
          log.warn({ err: error }, 'Postgres was not asked for the time: the service acts by the time it knows'),
        );
      };
      measure = () => {
        if (performance.now() - attemptedAt > betweenAttemptsMs) void attempt();
      };
      await attempt();
      const timer = setInterval(attempt, everyMs).unref();
      const stopObserving = observe(['corner.clock.ahead'], (report) => report('corner.clock.ahead', base.aheadMs / 1000, {}));
      return {
        [Symbol.dispose]() {
          measure = () => {};
          clearInterval(timer);
          stopObserving();
        },
      };
    },
  };
}
