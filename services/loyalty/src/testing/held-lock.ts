import type { Database } from '@corner/chassis';
import { until } from '@corner/testkit';
import { type QuerySqlToken, sql } from 'slonik';
import { z } from 'zod';

/** Runs a statement in a transaction that stays open. Returns a function that commits it, so that the statements waiting for it go on. */
export async function holdOpen(database: Database, statement: QuerySqlToken): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: nowLocked } = Promise.withResolvers<void>();
  const ended = database.transaction(async (tx) => {
    await tx.query(statement);
    nowLocked();
    await released;
  });
  await Promise.race([locked, ended]);
  return async () => {
    release();
    await ended;
  };
}

export const waitsForLock = (database: Database, text: string): Promise<unknown> =>
  until(
    () =>
      database.exists(sql.type(z.object({}))`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and strpos(query, ${text}) > 0`),
    { describe: `a statement with "${text}" to wait` },
  );
