import { type QuerySqlToken, sql } from 'slonik';
import { z } from 'zod';
import { retentionDays } from '../broker/streams.ts';
import type { Database } from '../database/database.ts';
import { type Job, job } from './jobs.ts';

/** Rows one statement deletes: few, so that no other statement waits long. It is repeated while it finds that many. */
const batchSize = 5_000;

/** Refusals that are kept at most, however recent: a flood of them must not fill the disk. */
const keptRefusals = 100_000;

/**
 * Deletes what is not needed any more: stored responses after a day, published events after the broker has dropped them too, processed
 * ones after twice that time. The time is now(), which is one for a statement: clock_timestamp() may move while it runs, so Postgres cannot look
 * it up in an index, and would read every row.
 */
export const housekeeping = (database: Database): Job<unknown> =>
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
    await deleteAll(sql.prepared('prune-refusals', Deleted)`
      with deleted as (delete from refusal where id = any(array(
        select id from (select id, at from refusal order by id limit ${batchSize}) oldest
        where id <= (select coalesce(max(id), 0) - ${keptRefusals} from refusal) or at < now() - ${retention}::interval))
        returning 1)
      select count(*) as deleted from deleted`);
    await deleteAll(sql.prepared('prune-outbox', Deleted)`select prune_outbox(now() - ${retention}::interval, ${batchSize}) as deleted`);
    await deleteAll(
      sql.prepared('prune-relay-batches', Deleted)`select prune_relay_batches(now() - ${retention}::interval, ${batchSize}) as deleted`,
    );
  });

const Deleted = z.object({ deleted: z.number() });
