import type pg from 'pg';
import type { OutboxRow } from './envelope.ts';
import type { Published } from './publish-in-order.ts';

/**
 * The outbox is read by snapshots. A batch is every row that is visible now and was not visible at the batch before, in order of id.
 * A cursor over ids would lose rows of transactions that commit late; a "sent" flag would cost one more write for every row.
 */
export interface Batch {
  readonly firstSequence: number;
  /** Times the batch was published again because the broker had lost it; usually 0. */
  readonly republished: number;
  readonly size: number;
  /** The rows in order; of a large batch only their keys, by which they are read in pages, so memory stays bounded. */
  readonly content: { readonly rows: readonly OutboxRow[] } | { readonly keys: readonly RowKey[] };
}

interface RowKey {
  readonly transaction_id: string;
  readonly id: string;
}

/** What the leader keeps between batches. With an old `epoch`, a leader that lost its lock without noticing cannot record a batch. */
export interface Leadership {
  readonly epoch: string;
  /** The snapshot of the newest batch. */
  snapshot: string;
  /** The batch that the broker has acknowledged and relay_batch does not say so yet. The next {@link takeBatch} records it. */
  unrecorded: Acknowledgement | null;
}

/** The broker has acknowledged a whole batch. `last` is the place of its last event, so that it can be checked later. */
export interface Acknowledgement {
  readonly batch: Batch;
  readonly last: Published | null;
}

/** Another replica has become leader. */
export class LostLeadership extends Error {}

const columns = `o.id, o.event_id, o.type, o.version, o.aggregate_id, o.aggregate_sequence, o.store_id, o.customer_id, o.data,
  o.correlation_id, o.causation_id, o.traceparent, to_char(o.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time`;

/** Rows held in memory at once. */
export const pageSize = 1_000;

/** Becomes leader by raising the epoch: a replica with an older epoch can no longer record a batch. */
export async function lead(client: pg.Client): Promise<Leadership> {
  const { rows } = await client.query<{ epoch: string; snapshot: string }>(
    'update relay_state set epoch = epoch + 1 returning epoch, snapshot',
  );
  const row = rows[0];
  if (!row) throw new Error('relay_state has no row: the schema is not migrated');
  return { epoch: row.epoch, snapshot: row.snapshot, unrecorded: null };
}

/**
 * Reads the next batch and records it, before any of it is published, and records the acknowledgement of the batch before: all in one
 * statement, so that a batch costs one round trip. Returns null when there are no new rows; nothing is written then, but for an
 * acknowledgement. Throws {@link LostLeadership}.
 */
export async function takeBatch(client: pg.Client, leadership: Leadership): Promise<Batch | null> {
  // A snapshot is written xmin:xmax:transactions in progress.
  const [, xmax = '1', inProgress = ''] = leadership.snapshot.split(':');
  const { unrecorded } = leadership;
  const { rows } = await client.query<OutboxRow & { snapshot_after: string; first_sequence: string | null }>({
    name: 'take-batch',
    text: takeBatchStatement,
    values: [
      xmax,
      inProgress.split(',').filter(Boolean),
      leadership.epoch,
      leadership.snapshot,
      unrecorded?.batch.firstSequence ?? null,
      unrecorded?.last?.streamSequence ?? null,
      unrecorded?.last?.eventId ?? null,
    ],
  });
  leadership.unrecorded = null;
  const first = rows[0];
  if (!first) return null;
  if (rows.length > pageSize) return await takeBacklog(client, leadership);
  if (first.first_sequence === null) throw new LostLeadership();
  leadership.snapshot = first.snapshot_after;
  return { firstSequence: Number(first.first_sequence), republished: 0, size: rows.length, content: { rows } };
}

const acknowledge = (sequence: string, streamSequence: string, eventId: string): string => `
  update relay_batch set acked_at = clock_timestamp(), last_stream_sequence = ${streamSequence}, last_event_id = ${eventId}
  where first_sequence = ${sequence}`;

// Ordered by transaction, so that the server reads by the primary key and never the whole table, however young its statistics are.
const takeBatchStatement = `
  with acknowledged as (${acknowledge('$5::bigint', '$6::bigint', '$7::uuid')}
  ), unread as materialized (
    (select * from outbox where transaction_id >= $1::xid8 order by transaction_id limit ${pageSize + 1})
    union all
    (select * from outbox where transaction_id = any($2::xid8[]) order by transaction_id limit ${pageSize + 1})
  ), taken as (
    update relay_state set snapshot = pg_current_snapshot(), last_sequence = last_sequence + size
    from (select count(*) as size from unread) counted
    where single and epoch = $3 and size between 1 and ${pageSize}
    returning last_sequence - size + 1 as first_sequence, size
  ), recorded as (
    insert into relay_batch (first_sequence, size, snapshot_before, snapshot_after, epoch)
    select first_sequence, size, $4::pg_snapshot, pg_current_snapshot(), $3 from taken
  )
  select ${columns}, pg_current_snapshot()::text as snapshot_after, (select first_sequence from taken) as first_sequence
  from unread o
  order by o.id`;

/** Takes a batch of more than a page, for example after the broker was away: ids now, rows when they are published. */
async function takeBacklog(client: pg.Client, leadership: Leadership): Promise<Batch> {
  const { rows } = await client.query<{ current_snapshot: string }>('select pg_current_snapshot()::text as current_snapshot');
  const snapshot = rows[0]?.current_snapshot ?? leadership.snapshot;
  return await record(client, leadership, snapshot, await keysBetween(client, leadership.snapshot, snapshot));
}

async function record(client: pg.Client, leadership: Leadership, snapshot: string, keys: readonly RowKey[]): Promise<Batch> {
  const { rows } = await client.query<{ first_sequence: string }>({
    name: 'record-batch',
    text: `
      with state as (
        update relay_state set snapshot = $1::pg_snapshot, last_sequence = last_sequence + $2 where single and epoch = $3 returning last_sequence
      )
      insert into relay_batch (first_sequence, size, snapshot_before, snapshot_after, epoch)
      select last_sequence - $2 + 1, $2, $4::pg_snapshot, $1::pg_snapshot, $3 from state
      returning first_sequence`,
    values: [snapshot, keys.length, leadership.epoch, leadership.snapshot],
  });
  const recorded = rows[0];
  if (!recorded) throw new LostLeadership();
  leadership.snapshot = snapshot;
  return { firstSequence: Number(recorded.first_sequence), republished: 0, size: keys.length, content: { keys } };
}

/**
 * Returns the keys of the rows between two snapshots. The same snapshots give the same rows in the same order, however often they are read.
 */
async function keysBetween(client: pg.Client, before: string, after: string): Promise<RowKey[]> {
  const { rows } = await client.query<RowKey>(
    `select o.transaction_id, o.id from outbox o
     where o.transaction_id >= pg_snapshot_xmin($1::pg_snapshot) and o.transaction_id < pg_snapshot_xmax($2::pg_snapshot)
       and pg_visible_in_snapshot(o.transaction_id, $2::pg_snapshot) and not pg_visible_in_snapshot(o.transaction_id, $1::pg_snapshot)
     order by o.id`,
    [before, after],
  );
  return rows;
}

/** Returns the oldest batch that is recorded and not acknowledged by the broker; null when there is none. */
export async function oldestUnackedBatch(client: pg.Client): Promise<Batch | null> {
  const { rows } = await client.query<{ first_sequence: string; snapshot_before: string; snapshot_after: string; republished: number }>(
    'select first_sequence, snapshot_before, snapshot_after, republished from relay_batch where acked_at is null order by first_sequence limit 1',
  );
  const row = rows[0];
  if (!row) return null;
  const keys = await keysBetween(client, row.snapshot_before, row.snapshot_after);
  return { firstSequence: Number(row.first_sequence), republished: row.republished, size: keys.length, content: { keys } };
}

/** Yields a batch's rows, a page at a time. */
export async function* pagesOf(client: pg.Client, { content }: Batch): AsyncGenerator<readonly OutboxRow[]> {
  if ('rows' in content) {
    yield content.rows;
    return;
  }
  for (let from = 0; from < content.keys.length; from += pageSize) {
    const keys = content.keys.slice(from, from + pageSize);
    const { rows } = await client.query<OutboxRow>({
      name: 'page-of-batch',
      text: `
        select ${columns} from unnest($1::xid8[], $2::bigint[]) as page(transaction_id, id) join outbox o using (transaction_id, id)
        order by o.id`,
      values: [keys.map((key) => key.transaction_id), keys.map((key) => key.id)],
    });
    yield rows;
  }
}

/** Records an acknowledgement by itself: one of a batch that an earlier leader took, or one that must not wait for the next batch. */
export async function recordAcknowledgement(client: pg.Client, { batch, last }: Acknowledgement): Promise<void> {
  await client.query({
    name: 'record-acknowledgement',
    text: acknowledge('$1::bigint', '$2::bigint', '$3::uuid'),
    values: [batch.firstSequence, last?.streamSequence ?? null, last?.eventId ?? null],
  });
}
