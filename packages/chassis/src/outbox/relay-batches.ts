import type { Incarnation } from '@corner/contracts';
import type pg from 'pg';
import type { OutboxRow } from './envelope.ts';
import { LostLeadership, type Numbering } from './leadership.ts';

/**
 * A batch is every row that is visible now and was not at the snapshot before, in order of id. A cursor over ids would lose rows that
 * commit late; a "sent" flag would cost one more write per row. Events are numbered from `firstNumber` without gaps. A large batch holds
 * only keys, by which its rows are read in pages, so memory stays bounded.
 */
export interface Batch {
  readonly firstNumber: number;
  readonly incarnation: Incarnation;
  readonly size: number;
  readonly content: { readonly rows: readonly OutboxRow[] } | { readonly keys: readonly RowKey[] };
}

interface RowKey {
  readonly transaction_id: string;
  readonly id: string;
}

const outboxRowColumns = `o.id, o.event_id, o.type, o.version, o.aggregate_id, o.aggregate_sequence, o.store_id, o.customer_id, o.data,
  o.correlation_id, o.causation_id, o.traceparent, to_char(o.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time`;

const pageSize = 1_000;

/**
 * Reads the next batch and records it before it is published, with the acknowledgement of the batch before, in one statement. Returns null
 * when there are no new rows. Throws {@link LostLeadership}.
 */
export async function takeBatch(client: pg.Client, numbering: Numbering): Promise<Batch | null> {
  // A snapshot is written xmin:xmax:transactions in progress.
  const [, xmax = '1', inProgress = ''] = numbering.snapshot.split(':');
  const { rows } = await client.query<OutboxRow & { snapshot_after: string; first_number: string | null }>({
    name: 'take-batch',
    text: takeBatchStatement,
    values: [xmax, inProgress.split(',').filter(Boolean), numbering.epoch, numbering.snapshot, numbering.unrecorded],
  });
  numbering.unrecorded = null;
  const first = rows[0];
  if (!first) return null;
  if (rows.length > pageSize) return await takeBacklog(client, numbering);
  if (first.first_number === null) throw new LostLeadership();
  numbering.snapshot = first.snapshot_after;
  return { firstNumber: Number(first.first_number), incarnation: numbering.incarnation, size: rows.length, content: { rows } };
}

const acknowledge = (firstNumber: string): string => `
  update relay_batch set acked_at = clock_timestamp() where first_number = ${firstNumber}`;

// Ordered by transaction, so that the server reads by the primary key and never the whole table, however young its statistics are.
const takeBatchStatement = `
  with acknowledged as (${acknowledge('$5::bigint')}
  ), unread as materialized (
    (select * from outbox where transaction_id >= $1::xid8 order by transaction_id limit ${pageSize + 1})
    union all
    (select * from outbox where transaction_id = any($2::xid8[]) order by transaction_id limit ${pageSize + 1})
  ), taken as (
    update relay_state set snapshot = pg_current_snapshot(), last_number = last_number + size
    from (select count(*) as size from unread) counted
    where single and epoch = $3 and size between 1 and ${pageSize}
    returning last_number - size + 1 as first_number, size
  ), recorded as (
    insert into relay_batch (first_number, size, snapshot_before, snapshot_after, epoch)
    select first_number, size, $4::pg_snapshot, pg_current_snapshot(), $3 from taken
  )
  select ${outboxRowColumns}, pg_current_snapshot()::text as snapshot_after, (select first_number from taken) as first_number
  from unread o
  order by o.id`;

async function takeBacklog(client: pg.Client, numbering: Numbering): Promise<Batch> {
  const { rows } = await client.query<{ current_snapshot: string }>('select pg_current_snapshot()::text as current_snapshot');
  const snapshot = rows[0]?.current_snapshot ?? numbering.snapshot;
  return await record(client, numbering, snapshot, await keysBetween(client, numbering.snapshot, snapshot));
}

async function record(client: pg.Client, numbering: Numbering, snapshot: string, keys: readonly RowKey[]): Promise<Batch> {
  const { rows } = await client.query<{ first_number: string }>({
    name: 'record-batch',
    text: `
      with state as (
        update relay_state set snapshot = $1::pg_snapshot, last_number = last_number + $2 where single and epoch = $3 returning last_number
      )
      insert into relay_batch (first_number, size, snapshot_before, snapshot_after, epoch)
      select last_number - $2 + 1, $2, $4::pg_snapshot, $1::pg_snapshot, $3 from state
      returning first_number`,
    values: [snapshot, keys.length, numbering.epoch, numbering.snapshot],
  });
  const recorded = rows[0];
  if (!recorded) throw new LostLeadership();
  numbering.snapshot = snapshot;
  return { firstNumber: Number(recorded.first_number), incarnation: numbering.incarnation, size: keys.length, content: { keys } };
}

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

export async function oldestUnackedBatch(client: pg.Client): Promise<Batch | null> {
  const { rows } = await client.query<UnackedBatch>(`
    select b.first_number, b.snapshot_before, b.snapshot_after, i.id, i.begins
    from relay_batch b join relay_incarnation i using (epoch)
    where b.acked_at is null order by b.first_number limit 1`);
  const row = rows[0];
  if (!row) return null;
  const keys = await keysBetween(client, row.snapshot_before, row.snapshot_after);
  const incarnation = { id: row.id, begins: Number(row.begins) };
  return { firstNumber: Number(row.first_number), incarnation, size: keys.length, content: { keys } };
}

interface UnackedBatch {
  readonly first_number: string;
  readonly snapshot_before: string;
  readonly snapshot_after: string;
  readonly id: string;
  readonly begins: string;
}

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
        select ${outboxRowColumns} from unnest($1::xid8[], $2::bigint[]) as page(transaction_id, id) join outbox o using (transaction_id, id)
        order by o.id`,
      values: [keys.map((key) => key.transaction_id), keys.map((key) => key.id)],
    });
    yield rows;
  }
}

/** Call it for a batch of an earlier leader, or for one whose acknowledgement must not wait for the next batch. */
export async function recordAcknowledgement(client: pg.Client, firstNumber: number): Promise<void> {
  await client.query({ name: 'record-acknowledgement', text: acknowledge('$1::bigint'), values: [firstNumber] });
}
