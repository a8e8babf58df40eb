import { until } from '@corner/testkit';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Running } from './running.ts';

/** Runs several changes of one order concurrently: none continues before all wait for the order's lock. Returns their results. */
export async function runConcurrently<T>(
  { service }: Running,
  orderId: string,
  ...work: readonly (() => Promise<T>)[]
): Promise<readonly T[]> {
  const started = await service.database.transaction(async (tx) => {
    await tx.one(sql.type(z.object({ id: z.string() }))`select id from orders where id = ${orderId} for update`);
    const running = work.map((one) => one());
    // A backend that waits for another waiting backend holds a lock request in this database. pg_stat_activity would not change within this
    // transaction.
    const allWait = () =>
      tx.oneFirst(sql.type(z.object({ all: z.boolean() }))`
        select count(distinct l.pid) >= ${work.length} as all
        from pg_locks l
        where not l.granted and (
          pg_backend_pid() = any(pg_blocking_pids(l.pid)) or l.database = (select oid from pg_database where datname = current_database()))`);
    await until(allWait, { describe: `${work.length} transactions to wait for the order` });
    // Wrapped in an object, so that the transaction does not await the promises that wait for its lock.
    return { running };
  });
  return await Promise.all(started.running);
}

export type Draw = (least: number, most: number) => number;

/** Yields random number generators with fixed seeds: every run draws the same numbers. */
export function* randomly(times: number): Generator<Draw> {
  for (let seed = 1; seed <= times; seed += 1) {
    let state = Math.imul(seed, 0x9e37_79b1);
    yield (least, most) => {
      state = (state + 0x6d2b_79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return least + Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * (most - least + 1));
    };
  }
}
