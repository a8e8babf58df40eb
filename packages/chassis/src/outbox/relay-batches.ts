import { dataSchemaOf, type Envelope, type ServiceName, subjectOf } from '@corner/contracts';
import type pg from 'pg';

/**
 * Reading the outbox by snapshots. A tick is every row visible now and not visible at the tick before, in order of id.
 * A cursor over ids would lose rows of transactions that commit late; a "sent" flag would have to be written back.
 */
export interface Batch {
  readonly firstSequence: number;
  /** Times the broker lost it; 0 as a rule. */
  readonly republished: number;
  /** Ids of the rows, in order. Payloads of a large tick are paged by them, so memory stays bounded. */
  readonly ids: readonly string[];
  /** All rows, when the tick was small enough to be read with them. */
  readonly rows?: readonly OutboxRow[];
}

export interface OutboxRow {
  readonly id: string;
  readonly event_id: string;
  readonly type: string;
  readonly version: number;
  readonly aggregate_id: string;
  readonly aggregate_sequence: string;
  readonly store_id: string | null;
  readonly customer_id: string | null;
  readonly data: unknown;
  readonly correlation_id: string | null;
  readonly causation_id: string | null;
  readonly traceparent: string | null;
  readonly time: string;
}

const columns = `o.id, o.event_id, o.type, o.version, o.aggregate_id, o.aggregate_sequence, o.store_id, o.customer_id, o.data,
  o.correlation_id, o.causation_id, o.traceparent, to_char(o.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time`;

/** Rows held in memory at once. */
export const pageSize = 1_000;

/** What the leader holds between ticks. `epoch` fences: a leader that lost its lock without noticing cannot write. */
export interface Reading {
  readonly epoch: string;
  snapshot: string;
}

/** Becomes leader of the state row: whoever held an older epoch can no longer take a tick. */
export async function lead(client: pg.Client): Promise<Reading & { streamCreated: string | null }> {
  const { rows } = await client.query<{ epoch: string; snapshot: string; stream_created: string | null }>(
    'update relay_state set epoch = epoch + 1 returning epoch, snapshot, stream_created',
  );
  const row = rows[0];
  if (!row) throw new Error('relay_state has no row: the schema is not migrated');
  return { epoch: row.epoch, snapshot: row.snapshot, streamCreated: row.stream_created };
}

/** Reads and records the next tick, before any of it is published; null when nothing is new. */
export async function takeBatch(client: pg.Client, reading: Reading): Promise<Batch | null> {
  const xmax = reading.snapshot.split(':')[1] ?? '1';
  const open = (reading.snapshot.split(':')[2] ?? '').split(',').filter(Boolean);
  const { rows } = await client.query<OutboxRow & { seen: string }>({
    name: 'take-tick',
    text: `
      select ${columns}, pg_current_snapshot()::text as seen
      from (
        select * from outbox where transaction_id >= $1::xid8
        union all
        select * from outbox where transaction_id = any($2::xid8[])
      ) o
      order by o.id
      limit ${pageSize + 1}`,
    values: [xmax, open],
  });
  const first = rows[0];
  if (!first) return null;
  if (rows.length > pageSize) return await takeBacklog(client, reading);
  return {
    ...(await record(
      client,
      reading,
      first.seen,
      rows.map(({ id }) => id),
    )),
    rows,
  };
}

/** More than a page is waiting, for example after the broker was away: ids first, payloads later. */
async function takeBacklog(client: pg.Client, reading: Reading): Promise<Batch> {
  const { rows } = await client.query<{ seen: string }>('select pg_current_snapshot()::text as seen');
  const seen = rows[0]?.seen ?? reading.snapshot;
  return await record(client, reading, seen, await idsBetween(client, reading.snapshot, seen));
}

async function record(client: pg.Client, reading: Reading, seen: string, ids: readonly string[]): Promise<Batch> {
  const { rows } = await client.query<{ first_sequence: string }>({
    name: 'record-tick',
    text: `
      with state as (
        update relay_state set snapshot = $1::pg_snapshot, last_sequence = last_sequence + $2 where epoch = $3 returning last_sequence
      )
      insert into relay_batch (first_sequence, size, snapshot_before, snapshot_after, epoch)
      select last_sequence - $2 + 1, $2, $4::pg_snapshot, $1::pg_snapshot, $3 from state
      returning first_sequence`,
    values: [seen, ids.length, reading.epoch, reading.snapshot],
  });
  const recorded = rows[0];
  if (!recorded) throw new LostLeadership();
  reading.snapshot = seen;
  return { firstSequence: Number(recorded.first_sequence), republished: 0, ids };
}

/** Another replica leads now. */
export class LostLeadership extends Error {}

/** The rows a recorded tick stands for: the same ones, in the same order, however often it is asked. */
async function idsBetween(client: pg.Client, before: string, after: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select o.id from outbox o
     where o.transaction_id >= pg_snapshot_xmin($1::pg_snapshot) and o.transaction_id < pg_snapshot_xmax($2::pg_snapshot)
       and pg_visible_in_snapshot(o.transaction_id, $2::pg_snapshot) and not pg_visible_in_snapshot(o.transaction_id, $1::pg_snapshot)
     order by o.id`,
    [before, after],
  );
  return rows.map(({ id }) => id);
}

/** The oldest tick that is recorded and not known to be in the stream; null when there is none. */
export async function oldestUnackedBatch(client: pg.Client): Promise<Batch | null> {
  const { rows } = await client.query<{ first_sequence: string; snapshot_before: string; snapshot_after: string; republished: number }>(
    'select first_sequence, snapshot_before, snapshot_after, republished from relay_batch where acked_at is null order by first_sequence limit 1',
  );
  const row = rows[0];
  if (!row) return null;
  return {
    firstSequence: Number(row.first_sequence),
    republished: row.republished,
    ids: await idsBetween(client, row.snapshot_before, row.snapshot_after),
  };
}

/** A tick's rows, a page at a time. */
export async function* pagesOf(client: pg.Client, batch: Batch): AsyncGenerator<readonly OutboxRow[]> {
  if (batch.rows) {
    yield batch.rows;
    return;
  }
  for (let from = 0; from < batch.ids.length; from += pageSize) {
    const { rows } = await client.query<OutboxRow>({
      name: 'page-of-tick',
      text: `select ${columns} from outbox o where o.id = any($1::bigint[]) order by o.id`,
      values: [batch.ids.slice(from, from + pageSize)],
    });
    yield rows;
  }
}

/** The broker has all of a tick: notes where its last event stands, for the check that it still has it. */
export async function ackBatch(
  client: pg.Client,
  batch: Batch,
  last: { readonly streamSequence: number; readonly eventId: string } | null,
): Promise<void> {
  await client.query({
    name: 'ack-tick',
    text: 'update relay_batch set acked_at = clock_timestamp(), last_stream_sequence = $2, last_event_id = $3 where first_sequence = $1',
    values: [batch.firstSequence, last?.streamSequence ?? null, last?.eventId ?? null],
  });
}

/** The envelope a row is published as, and where. */
export function envelopeOf(service: ServiceName, row: OutboxRow): { readonly subject: string; readonly envelope: Envelope } {
  const envelope: Envelope = {
    specversion: '1.0',
    id: row.event_id,
    source: `/${service}`,
    type: row.type,
    dataschema: dataSchemaOf(row),
    subject: row.aggregate_id,
    time: row.time,
    datacontenttype: 'application/json',
    sequence: Number(row.aggregate_sequence),
    ...(row.store_id ? { storeid: row.store_id } : {}),
    ...(row.customer_id ? { customerid: row.customer_id } : {}),
    ...(row.correlation_id ? { correlationid: row.correlation_id } : {}),
    ...(row.causation_id ? { causationid: row.causation_id } : {}),
    ...(row.traceparent ? { traceparent: row.traceparent } : {}),
    data: row.data,
  };
  return { subject: subjectOf(service, row, row.store_id ?? undefined), envelope };
}

/** The id the broker knows a publication by. Its own window drops repeats; after a loss the same event must get through again. */
export const messageIdOf = (eventId: string, republished: number): string => (republished === 0 ? eventId : `${eventId}~${republished}`);
