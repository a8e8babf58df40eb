import { type Database, insertEventsSql, instantOf, NoColumns, type OutboxEntry, type Queries, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { appendLogSql, type LogEntry } from '../order/tables/log.ts';
import { OrderRow, orderColumns } from '../order/tables/orders.ts';
import type { MovedOrder } from './rules.ts';

export interface Moves {
  readonly storeId: string;
  readonly orders: readonly (MovedOrder & { readonly id: string })[];
  readonly entries: readonly LogEntry[];
  readonly events: readonly OutboxEntry[];
}

/**
 * Writes the state and times of orders, the log and the events, and returns the orders in no particular order. The caller holds their
 * family's lock.
 */
export const writeMoves = (tx: Transaction, { storeId, orders, entries, events }: Moves): Promise<readonly OrderRow[]> =>
  tx.any(sql.prepared('move-orders', OrderRow)`
    with moved as (
      update orders o
      set fulfilment_status = m.fulfilment_status, business_status = m.business_status, version = m.version, accepted_at = m.accepted_at,
          preparing_at = m.preparing_at, ready_at = m.ready_at, collected_at = m.collected_at, fulfilled_at = m.fulfilled_at,
          cancelled_at = m.cancelled_at, cancelled_by = m.cancelled_by, uncollected_at = m.uncollected_at,
          look_at = case when m.business_status in ('placed', 'ready') then coalesce(o.look_at, ${tx.now.toISOString()}) end,
          address_hash = case when m.business_status in ('placed', 'ready') then o.address_hash end
      from jsonb_populate_recordset(null::orders, ${sql.jsonb(orders)}) m
      where o.id = m.id and o.id = any(${sql.array(
        orders.map(({ id }) => id),
        'uuid',
      )}) and o.store_id = ${storeId}
      returning o.*
    ),
    logged as (${appendLogSql(tx.now, entries)}),
    published as (${insertEventsSql(tx, events)})
    select ${orderColumns} from moved o`);

/**
 * Returns the collection code of a locked order that is not live: its own if still free, else the first free one of `fresh`. A unique
 * index decides a race with a payment that takes the same code; a repeat then finds another.
 */
export const keepOrRenewCode = (tx: Transaction, order: OrderRow, fresh: readonly string[]): Promise<string | null> =>
  tx.oneFirst(sql.prepared('keep-or-renew-code', z.object({ collection_code: z.string().nullable() }))`
    update orders o
    set collection_code = (
      select wanted.code from unnest(${sql.array([order.collection_code ?? '', ...fresh], 'text')}) with ordinality as wanted(code, n)
      where not exists (
        select from orders q where q.store_id = ${order.store_id} and q.collection_code = wanted.code and q.is_live and q.id <> ${order.id})
      order by n limit 1)
    where o.id = ${order.id} and o.store_id = ${order.store_id}
    returning o.collection_code`);

const StoreDeadlines = z.object({
  time_zone: z.string(),
  hours: z.array(z.object({ day: z.number(), opens: z.string(), closes: z.string() })),
  closures: z.array(z.object({ starts_at: z.string(), ends_at: z.string() })),
  accept_within_minutes: z.number().nullable(),
  uncollected_after_hours: z.number(),
});
export type StoreDeadlines = z.output<typeof StoreDeadlines>;

export const readDeadlines = (tx: Transaction, storeId: string): Promise<StoreDeadlines> =>
  tx.one(sql.prepared('read-deadlines', StoreDeadlines)`
    select time_zone, hours, closures, accept_within_minutes, uncollected_after_hours from store where id = ${storeId}`);

const OrderOfStore = z.object({ id: z.string(), store_id: z.string() });

export const findOrdersToLookAt = (database: Database, now: Date): Promise<readonly z.output<typeof OrderOfStore>[]> =>
  database.any(sql.prepared('orders-to-look-at', OrderOfStore)`
    select id, store_id from orders where look_at <= ${now.toISOString()} order by look_at limit 100`);

export async function writeLookAt(
  queries: Queries,
  { id, store_id }: { readonly id: string; readonly store_id: string },
  at: Date,
): Promise<void> {
  await queries.query(sql.prepared('write-look-at', NoColumns)`
    update orders set look_at = case when is_live then ${at.toISOString()}::timestamptz end where id = ${id} and store_id = ${store_id}`);
}

const NoticeState = z.object({
  request: z.string().nullable(),
  notified_at: z.string().nullable(),
  pending: z.boolean(),
  time_zone: z.string(),
  has_push: z.boolean(),
  has_email: z.boolean(),
});
/** The last delay notice of an order (nulls when there was none), its store's time zone, and the channel to its customer. */
export type NoticeState = z.output<typeof NoticeState>;

export const readNoticeState = (
  tx: Transaction,
  { id, store_id, customer_id }: { readonly id: string; readonly store_id: string; readonly customer_id: string },
): Promise<NoticeState> =>
  tx.one(sql.prepared('read-notice-state', NoticeState)`
    select n.request, ${instantOf(sql.fragment`n.notified_at`)} as notified_at, coalesce(n.pending, false) as pending, s.time_zone,
      coalesce(c.has_push, false) as has_push, coalesce(c.has_email, false) as has_email
    from store s left join delay_notice n on n.order_id = ${id} left join contact c on c.customer_id = ${customer_id}
    where s.id = ${store_id}`);

export interface DelayNotice {
  readonly orderId: string;
  readonly storeId: string;
  readonly readyAt: Date;
  readonly request: string;
  readonly note: string | null;
  readonly notifiedAt: string;
  readonly pending: boolean;
}

export async function writeDelayNotice(tx: Transaction, notice: DelayNotice): Promise<void> {
  const { orderId, storeId, readyAt, request, note, notifiedAt, pending } = notice;
  await tx.query(sql.prepared('write-delay-notice', NoColumns)`
    with written as (
      insert into delay_notice (order_id, store_id, request, note, notified_at, pending)
      values (${orderId}, ${storeId}, ${request}, ${note}, ${notifiedAt}, ${pending})
      on conflict (order_id) do update
      set request = excluded.request, note = excluded.note, notified_at = excluded.notified_at, pending = excluded.pending
    )
    update orders set revised_ready_at = ${readyAt.toISOString()}, version = version + 1 where id = ${orderId} and store_id = ${storeId}`);
}

const PendingNotice = z.object({ order_id: z.string(), store_id: z.string() });

export const findPendingNotices = (database: Database, notifiedBefore: Date): Promise<readonly z.output<typeof PendingNotice>[]> =>
  database.any(sql.prepared('pending-delay-notices', PendingNotice)`
    select order_id, store_id from delay_notice where pending and notified_at <= ${notifiedBefore.toISOString()} order by notified_at limit 100`);

/**
 * Marks the pending notice of a locked order as sent, and returns its note. Null when it is no longer pending, or the customer was
 * notified since the instant.
 */
export const takePendingNotice = (
  tx: Transaction,
  orderId: string,
  notifiedBefore: Date,
): Promise<{ readonly note: string | null } | null> =>
  tx.maybeOne(sql.prepared('take-pending-delay-notice', z.object({ note: z.string().nullable() }))`
    with taken as (
      update delay_notice set pending = false, notified_at = ${tx.now.toISOString()}
      where order_id = ${orderId} and pending and notified_at <= ${notifiedBefore.toISOString()}
      returning note
    ), counted as (
      update orders set version = version + 1 where id = ${orderId} and exists (select 1 from taken)
    )
    select note from taken`);

export async function beginCancel(queries: Queries, orderId: string, now: Date): Promise<void> {
  await queries.query(sql.prepared('begin-cancel', NoColumns)`
    update orders set cancel_begun_at = ${now.toISOString()}
    where id = ${orderId} and cancel_begun_at is null and coalesce(payment_status, '') in ('pending_payment', 'payment_failed')`);
}

/** Stores that the cancellation was refused: the order stays, and a payment of it is kept. */
export async function abandonCancel(queries: Queries, orderId: string): Promise<void> {
  await queries.query(sql.prepared('abandon-cancel', NoColumns)`update orders set cancel_begun_at = null where id = ${orderId}`);
}
