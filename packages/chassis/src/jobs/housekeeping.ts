import { type QuerySqlToken, sql } from 'slonik';
import { z } from 'zod';
import { retentionDays } from '../broker/streams.ts';
import type { Database } from '../database/database.ts';
import { type Job, job } from './jobs.ts';

/** Few, so that no other statement waits long. The statement is repeated while it finds that many. */
const batchSize = 5_000;

const logDays = 400;

/** Recent refusals beyond this number go too: a flood of them must not fill the disk. */
const keptRefusals = 100_000;

/**
 * Deletes notes of changes after an hour, responses after a day, published events once the broker has dropped them too, processed ones
 * after twice that, rows of `logs` after 400 days. Compares with now(): the planner uses no index for clock_timestamp().
 */
export const housekeeping = (database: Database, logs: readonly string[] = []): Job<unknown> =>
  job(600, async () => {
    const retention = `${retentionDays} days`;
    const twiceRetention = `${2 * retentionDays} days`;
    const deleteAll = async (statement: QuerySqlToken<typeof Deleted>) => {
      while ((await database.oneFirst(statement)) === batchSize);
    };
    await deleteAll(sql.prepared('prune-idempotency-keys', Deleted)`
      with deleted as (delete from idempotency_key where ctid = any(array(
        select ctid from idempotency_key
        where created_at < now() - interval '24 hours' order by created_at limit ${batchSize})) returning 1)
      select count(*) as deleted from deleted`);
    await deleteAll(sql.prepared('prune-inbox', Deleted)`
      with deleted as (delete from inbox where ctid = any(array(
        select oldest.place from consumer_position p cross join lateral (
          select i.ctid as place, i.processed_at from inbox i
          where i.producer = p.producer and i.number <= p.complete_up_to and i.state = 'done' order by i.number limit ${batchSize}) oldest
        where oldest.processed_at < now() - ${twiceRetention}::interval limit ${batchSize})) returning 1)
      select count(*) as deleted from deleted`);
    await deleteAll(sql.prepared('prune-inbox-without-number', Deleted)`
      with deleted as (delete from inbox where ctid = any(array(
        select ctid from inbox where number is null and processed_at < now() - ${twiceRetention}::interval and state = 'done'
        order by processed_at limit ${batchSize})) returning 1)
      select count(*) as deleted from deleted`);
    await deleteAll(sql.prepared('prune-replayed-events', Deleted)`
      with deleted as (delete from replayed_event where ctid = any(array(
        select ctid from replayed_event where at < now() - ${twiceRetention}::interval
        order by at limit ${batchSize})) returning 1)
      select count(*) as deleted from deleted`);
    await deleteAll(sql.prepared('prune-changes', Deleted)`
      with deleted as (delete from noted_change where ctid = any(array(
        select place from (select ctid as place, at from noted_change order by transaction_id limit ${batchSize}) oldest
        where at < now() - interval '1 hour')) returning 1)
      select count(*) as deleted from deleted`);
    await deleteAll(sql.prepared('prune-refusals', Deleted)`
      with deleted as (delete from refusal where id = any(array(
        select id from (select id, at from refusal order by id limit ${batchSize}) oldest
        where id <= (select coalesce(max(id), 0) - ${keptRefusals} from refusal) or at < now() - ${retention}::interval))
        returning 1)
      select count(*) as deleted from deleted`);
    for (const log of logs) {
      const table = sql.identifier([log]);
      // By id, in whose order rows were written: no index by time is needed.
      await deleteAll(sql.prepared(`prune-${log}`, Deleted)`
        with deleted as (delete from ${table} where id = any(array(
          select id from (select id, at from ${table} order by id limit ${batchSize}) oldest
          where at < now() - ${`${logDays} days`}::interval)) returning 1)
        select count(*) as deleted from deleted`);
    }
    await deleteAll(sql.prepared('prune-outbox', Deleted)`select prune_outbox(now() - ${retention}::interval, ${batchSize}) as deleted`);
    await deleteAll(
      sql.prepared('prune-relay-batches', Deleted)`select prune_relay_batches(now() - ${retention}::interval, ${batchSize}) as deleted`,
    );
  });

const Deleted = z.object({ deleted: z.number() });
