import { type QuerySqlToken, sql } from 'slonik';
import { z } from 'zod';
import { retentionDays } from '../broker/broker.ts';
import type { Database } from '../database/database.ts';
import { type Job, job } from './jobs.ts';

/** Rows of one kind dropped by one statement: small, so that nothing waits behind it, and repeated while it drops all it may. */
const batch = 5_000;

/** Refusals that are kept, however many there were: a flood of them must not fill the disk. */
const mostRefusals = 100_000;

/** Drops what nobody can need any more: kept answers after a day, told and heard events after the broker has forgotten them too. */
export const housekeeping = (database: Database): Job<unknown> =>
  job(600, async () => {
    const told = `${retentionDays} days`;
    const heard = `${2 * retentionDays} days`;
    const drop = async (statement: QuerySqlToken<typeof Dropped>) => {
      while ((await database.oneFirst(statement)) === batch);
    };
    await drop(sql.type(Dropped)`
      with gone as (delete from idempotency_key where (principal, operation, key) in (
        select principal, operation, key from idempotency_key
        where created_at < clock_timestamp() - interval '24 hours' order by created_at limit ${batch}) returning 1)
      select count(*) as dropped from gone`);
    await drop(sql.type(Dropped)`
      with gone as (delete from inbox where event_id in (
        select event_id from inbox where processed_at < clock_timestamp() - ${heard}::interval and state = 'done' order by processed_at limit ${batch})
        returning 1)
      select count(*) as dropped from gone`);
    await drop(sql.type(Dropped)`
      with gone as (delete from replayed_event where (replay_id, event_id) in (
        select replay_id, event_id from replayed_event where at < clock_timestamp() - ${heard}::interval order by at limit ${batch}) returning 1)
      select count(*) as dropped from gone`);
    await drop(sql.type(Dropped)`
      with gone as (delete from refusal where id in (
        select id from refusal
        where id <= (select coalesce(max(id), 0) - ${mostRefusals} from refusal) or at < clock_timestamp() - ${told}::interval
        order by id limit ${batch}) returning 1)
      select count(*) as dropped from gone`);
    await drop(sql.type(Dropped)`select prune_outbox(clock_timestamp() - ${told}::interval, ${batch}) as dropped`);
    await drop(sql.type(Dropped)`select prune_relay_batches(clock_timestamp() - ${told}::interval, ${batch}) as dropped`);
  });

const Dropped = z.object({ dropped: z.number() });
