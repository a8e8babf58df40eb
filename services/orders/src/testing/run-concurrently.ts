import { until } from '@corner/testkit';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Running } from './running.ts';

/** Starts several who change one order, and lets none of them go on before all have come to where they need it. Answers what each did. */
export async function runConcurrently<T>(
  { service }: Running,
  orderId: string,
  ...work: readonly (() => Promise<T>)[]
): Promise<readonly T[]> {
  const started = await service.database.transaction(async (tx) => {
    await tx.one(sql.type(z.object({ id: z.string() }))`select id from orders where id = ${orderId} for update`);
    const running = work.map((one) => one());
    // Who waits for somebody that waits for us waits for a row of this database. The view of activity would stand still in here.
    const allWait = () =>
      tx.oneFirst(sql.type(z.object({ all: z.boolean() }))`
        select count(distinct l.pid) >= ${work.length} as all
        from pg_locks l
        where not l.granted and (
          pg_backend_pid() = any(pg_blocking_pids(l.pid)) or l.database = (select oid from pg_database where datname = current_database()))`);
    await until(allWait, { describe: `${work.length} who wait for the order` });
    // In a box, so that they are not waited for under the lock they wait for.
    return { running };
  });
  return await Promise.all(started.running);
}
