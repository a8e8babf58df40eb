import { type Database, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { PayableOrder, payableColumns } from '../payment/index.ts';

const ProviderEventRow = z.object({ id: z.string(), type: z.string(), object_id: z.string() });
export type ProviderEventRow = z.output<typeof ProviderEventRow>;

/**
 * Stores a payment event, and returns the order that it may change. Null when the event is stored already, or when the payment has no
 * unpaid order: the event is then stored as processed, since payment events do not change paid orders.
 */
export const receivePaymentEvent = (
  database: Database,
  { id, type, object_id }: ProviderEventRow,
  now: Date,
): Promise<PayableOrder | null> =>
  database.maybeOne(sql.prepared('receive-payment-event', PayableOrder)`
    with unpaid as (
      select * from orders where payment_intent_id = ${object_id} and payment_status <> 'paid'
    ), stored as (
      insert into provider_event (id, type, object_id, received_at, processed_at, attempts)
      select ${id}, ${type}, ${object_id}, ${now.toISOString()}, case when not u.found then ${now.toISOString()}::timestamptz end, case when u.found then 0 else 1 end
      from (select exists (select from unpaid) as found) u
      on conflict do nothing
      returning id
    )
    select ${payableColumns} from unpaid o join store s on s.id = o.store_id where exists (select from stored)`);

export async function recordProviderEvent(database: Database, { id, type, object_id }: ProviderEventRow, now: Date): Promise<boolean> {
  const inserted = await database.maybeOne(sql.prepared('record-provider-event', z.object({ id: z.string() }))`
    insert into provider_event (id, type, object_id, received_at) values (${id}, ${type}, ${object_id}, ${now.toISOString()})
    on conflict do nothing returning id`);
  return inserted !== null;
}

export const recordProviderEvents = (tx: Transaction, events: readonly ProviderEventRow[]): Promise<number> =>
  tx.oneFirst(sql.prepared('record-provider-events', z.object({ count: z.number() }))`
    with inserted as (
      insert into provider_event (id, type, object_id, received_at)
      select e.id, e.type, e.object_id, ${tx.now.toISOString()}
      from jsonb_to_recordset(${sql.jsonb(events)}) as e(id text, type text, object_id text) order by e.id
      on conflict do nothing returning 1
    )
    select count(*)::int as count from inserted`);

/** Reads up to 50 events that are due for processing, oldest first. A failing event is due again after attempts² seconds, at most 600. */
export const findDueProviderEvents = (database: Database, now: Date): Promise<readonly ProviderEventRow[]> =>
  database.any(sql.prepared('due-provider-events', ProviderEventRow)`
    select id, type, object_id from provider_event
    where processed_at is null and received_at + make_interval(secs => least(attempts * attempts, 600)) <= ${now.toISOString()}
    order by received_at limit 50`);

export const markProcessed = (database: Database, id: string, now: Date): Promise<void> => countAttempt(database, id, now);

/** Counts a failed attempt at an event, so that it is due again later. A processed event stays processed. */
export const countFailure = (database: Database, id: string): Promise<void> => countAttempt(database, id, null);

async function countAttempt(database: Database, id: string, processedAt: Date | null): Promise<void> {
  await database.query(sql.prepared('record-provider-event-attempt', NoColumns)`
    update provider_event set processed_at = ${processedAt?.toISOString() ?? null}, attempts = attempts + 1
    where id = ${id} and coalesce(processed_at, 'infinity') = 'infinity'`);
}

const ProviderState = z.object({
  cursors: z.array(z.object({ name: z.string(), age: z.number() })),
  differences: z.number(),
  restricted: z.number(),
  disputes_due: z.number(),
  shares_failing: z.number(),
});

export const readProviderState = (queries: Queries, now: Date): Promise<z.output<typeof ProviderState>> =>
  queries.one(sql.prepared('read-provider-state', ProviderState)`
    select
      (select coalesce(jsonb_agg(jsonb_build_object('name', c.name, 'age', extract(epoch from ${now.toISOString()}::timestamptz - c.read_until)::float8)), '[]')
        from provider_cursor c) as cursors,
      (select count(*)::int from ledger_difference where explained_at is null) as differences,
      (select count(*)::int from store_account a join store s on s.id = a.store_id and s.connected_account_id = a.account_id
        where s.live and not a.accepts_orders) as restricted,
      (select count(*)::int from dispute
        where state = 'opened' and awaits_evidence and evidence_due_by < ${now.toISOString()}::timestamptz + interval '3 days') as disputes_due,
      (select count(*)::int from dispute where share_due_at is not null and share_failures > 0) as shares_failing`);
