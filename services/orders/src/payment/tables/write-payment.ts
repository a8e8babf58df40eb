import {
  columns,
  insertEventsSql,
  instantOf,
  NoColumns,
  type OutboxEntry,
  type Publisher,
  type Queries,
  type Transaction,
} from '@corner/chassis';
import type { Canceller } from '@corner/contracts';
import { type FragmentSqlToken, sql, UniqueIntegrityConstraintViolationError } from 'slonik';
import type { z } from 'zod';
import type { Tender } from '../../order/rules/tenders.ts';
import { OrderRow } from '../../order/tables/orders.ts';
import type { PaidPart } from '../rules.ts';

export interface Charge {
  readonly storeId: string;
  readonly orderId: string;
  readonly intentId: string;
  readonly amountPence: number;
}

export interface AcceptedPayment extends Omit<Charge, 'intentId'> {
  readonly charges: readonly LedgerCharge[];
  readonly parts: readonly PaidPart[];
  readonly autoAccept: boolean;
  readonly lookAt: Date;
  readonly entry: {
    readonly title: string;
    readonly detail: string | null;
    readonly actor: string | null;
    readonly actorId: string | null;
  };
  readonly eventIds: readonly string[];
  readonly events: readonly OutboxEntry[];
  readonly sellerVersion: number | null;
  readonly at: Date;
}

interface LedgerCharge extends Partial<Tender> {
  readonly provider_ref: string;
  readonly amount_pence: number;
  readonly by_id?: string;
  readonly drawer_id?: string | null;
}

const Paid = OrderRow.pick({
  id: true,
  version: true,
  payment_status: true,
  business_status: true,
  fulfilment_status: true,
  is_first: true,
  paid_at: true,
  accepted_at: true,
  cancelled_at: true,
  requested_collection_at: true,
  ready_from: true,
  ready_to: true,
  collection_code: true,
});
export type Paid = z.output<typeof Paid>;
const paidColumns = columns(Paid, {
  alias: 'p',
  overrides: {
    paid_at: instantOf,
    accepted_at: instantOf,
    cancelled_at: instantOf,
    requested_collection_at: instantOf,
    ready_from: instantOf,
    ready_to: instantOf,
  },
});

/** The order changed since it was read, or another order took its collection code, or became the customer's first, meanwhile. */
export class LostRace extends Error {}

/** Where too few orders are known, every three ahead delay the next one by a minute, by half an hour at most. */
const ordersAheadPerMinute = 3;
const mostMinutesAhead = 30;

const ahead = sql.fragment`(select orders from ahead)`;
/** The list has the minutes by how many orders are ahead; its last are those of any more. */
const learnedMinutes = sql.fragment`f.minutes[1 + least(${ahead}, cardinality(f.minutes) - 1)]`;
const readyBound = (now: string, by: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  case when f.minutes is not null then greatest(${now}::timestamptz,
    greatest(o.requested_collection_at, ${now}::timestamptz + make_interval(mins => ${learnedMinutes})) + make_interval(mins => ${by})) end`;

/**
 * Writes an order with its legs as paid, in one statement: each one's status, times and collection code, the charges in the ledger, the
 * holds as committed, the log entry, the events, and the provider's event as processed. Returns the changes, the order first. A leg or
 * collect order without a requested time is quoted when it will be ready: as orders of its kind were, else by the typed preparation time.
 * The values were decided from the order as it was read: if its version has changed since, `unchanged` has no row, and so nothing is
 * written. Two unique indexes refuse a live order's collection code and a customer's second first order. In each case it throws
 * {@link LostRace}. Lock order: the orders, main order first; then their holds, and nothing else.
 */
export async function writeAcceptedPayment(queries: Pick<Queries, 'any'> & Publisher, payment: AcceptedPayment): Promise<readonly Paid[]> {
  const { storeId, orderId, charges, amountPence, parts, autoAccept, lookAt, entry, eventIds, events, sellerVersion } = payment;
  const now = payment.at.toISOString();
  const ids = sql.array(
    parts.map(({ id }) => id),
    'uuid',
  );
  const paid = await orLostRace(() =>
    queries.any(sql.prepared('accept-payment', Paid)`
      with family as (
        select o.id, part.collection_code, part.is_first, part.minutes, part.early, part.late
        from orders o
        join jsonb_to_recordset(${sql.jsonb(parts.map(({ ready, ...part }) => ({ ...part, ...ready })))})
            as part(id uuid, version bigint, collection_code text, is_first boolean, minutes integer[], early integer, late integer)
          on part.id = o.id and part.version = o.version
        where o.id = any(${ids}) and o.store_id = ${storeId}
        order by o.parent_order_id nulls first, o.order_number
        for update of o
      ),
      unchanged as (select count(*) as parts from family having count(*) = ${parts.length}),
      ahead as materialized (
        select count(*)::integer as orders
        from (
          select from orders q where q.store_id = ${storeId} and q.is_live and not q.fully_refunded and q.business_status = 'placed'
          limit ${ordersAheadPerMinute * mostMinutesAhead}
        ) waiting
      ),
      charged as (
        insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at, tender, given_pence, reference, by_id, drawer_id)
        select ${storeId}, ${orderId}, 'charge', c.provider_ref, c.amount_pence, ${now}, c.tender, c.given_pence, c.reference, c.by_id, c.drawer_id
        from unchanged cross join jsonb_populate_recordset(null::ledger, ${sql.jsonb(charges)}) c
      ),
      committed as (
        update hold set state = 'committed' from unchanged where order_id = any(${ids}) and state = 'held'
      ),
      logged as (
        insert into log_entry (store_id, order_id, at, kind, title, detail, actor, actor_id, amount_pence)
        select ${storeId}, ${orderId}, ${now}, 'paid', ${entry.title}, ${entry.detail}, ${entry.actor}, ${entry.actorId}, ${amountPence} from unchanged
      ),
      event_processed as (
        update provider_event set processed_at = ${now}, attempts = attempts + 1
        from unchanged where id = any(${sql.array(eventIds, 'text')}) and coalesce(processed_at, 'infinity') = 'infinity'
      ),
      published as (${insertEventsSql(queries, events, sql.fragment`cross join unchanged`)}),
      paid as (
        update orders o
        set payment_status = 'paid', business_status = 'placed', paid_at = ${now}, version = o.version + 1, cancelled_at = null,
            is_first = f.is_first, seller_version = ${sellerVersion},
            fulfilment_status = ${autoAccept ? 'accepted' : null},
            accepted_at = ${autoAccept ? now : null},
            collection_code = f.collection_code,
            look_at = ${lookAt.toISOString()},
            address_hash = case when o.total_pence = 0 and o.voucher_id is null then o.address_hash end,
            -- A slot that had begun is booked for a time that may be past once it is paid.
            requested_collection_at = greatest(case when o.requested_collection_at < ${now}::timestamptz
                then ${now}::timestamptz + make_interval(mins => o.prep_minutes) else o.requested_collection_at end,
              case when o.collection_mode = 'now'
              then ${now}::timestamptz
                + make_interval(mins => coalesce(${learnedMinutes}, o.prep_minutes + ${ahead} / ${ordersAheadPerMinute})) end),
            orders_ahead = case when o.collection_mode = 'now' then ${ahead} end,
            ready_from = ${readyBound(now, sql.fragment`f.early - 1`)},
            ready_to = ${readyBound(now, sql.fragment`f.late`)}
        from family f, unchanged
        where o.id = f.id
        returning o.*
      )
      select ${paidColumns} from paid p order by p.parent_order_id nulls first, p.order_number`),
  );
  if (paid.length === 0) throw new LostRace('the order has changed since it was read');
  return paid;
}

const races = ['collection_code_is_unique_among_live_orders', 'one_first_order_of_a_customer'];

async function orLostRace<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof UniqueIntegrityConstraintViolationError && races.includes(error.constraint ?? ''))) throw error;
    throw new LostRace('another order took the collection code, or became the first', { cause: error });
  }
}

/**
 * Writes that an unpaid order and its legs have ended, the main order first. Its intent is checked again in 20 seconds, because it may
 * still be paid.
 */
export async function writeUnpaidEnd(
  tx: Transaction,
  orderIds: readonly string[],
  status: 'expired' | 'cancelled',
  by: Canceller,
): Promise<void> {
  await tx.query(sql.prepared('end-unpaid', NoColumns)`
    with looked_at as (
      update provider_call set look_at = ${tx.now.toISOString()}::timestamptz + interval '20 seconds'
      where purpose = 'intent' and reference = ${orderIds[0] ?? null} and state <> 'refused'
    )
    update orders
    set payment_status = ${status}, version = version + 1, address_hash = null, business_status = ${status === 'cancelled' ? 'cancelled' : null},
        cancelled_at = ${status === 'cancelled' ? tx.now.toISOString() : null}, cancelled_by = ${status === 'cancelled' ? by : null}
    where id = any(${sql.array([...orderIds], 'uuid')})`);
}
