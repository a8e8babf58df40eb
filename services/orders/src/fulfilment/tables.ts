import { type Database, instantOf, type OutboxEntry, outboxInserted, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Step } from '../order/rules/follow-move.ts';
import { type LogEntry, logAppended } from '../order/tables/log.ts';
import { OrderRow, orderColumns } from '../order/tables/orders.ts';

/** The moves of a family's orders, with what is logged and published of them. */
export interface Moves {
  readonly steps: readonly Step<OrderRow>[];
  readonly entries: readonly LogEntry[];
  readonly events: readonly OutboxEntry[];
}

/**
 * Writes the new state of several locked orders, the log and the events, and returns the orders, in no particular order. A time is written
 * when its state is first reached; a correction clears the times of the hand-over and keeps the others.
 */
export async function writeMoves(tx: Transaction, { steps, entries, events }: Moves): Promise<readonly OrderRow[]> {
  const now = tx.now.toISOString();
  const moves = steps.map(({ order, move }) => ({ id: order.id, ...move }));
  const ids = sql.array(
    steps.map(({ order }) => order.id),
    'uuid',
  );
  return await tx.any(sql.prepared('move-orders', OrderRow)`
    with moved as (
      update orders o
      set fulfilment_status = m.fulfilment, business_status = m.business, version = o.version + 1,
          accepted_at = case when m.fulfilment = 'accepted' then ${now}::timestamptz else o.accepted_at end,
          preparing_at = case when m.fulfilment = 'preparing' then ${now}::timestamptz else o.preparing_at end,
          ready_at = case when m.fulfilment = 'ready' then coalesce(o.ready_at, ${now}::timestamptz) else o.ready_at end,
          collected_at = case when m.correction then null when m.fulfilment = 'collected' then coalesce(o.collected_at, ${now}::timestamptz) else o.collected_at end,
          fulfilled_at = case when m.correction then null when m.business = 'fulfilled' then ${now}::timestamptz else o.fulfilled_at end,
          cancelled_at = case when m.business = 'cancelled' then ${now}::timestamptz else o.cancelled_at end
      from jsonb_to_recordset(${sql.jsonb(moves)}) as m(id uuid, fulfilment text, business text, correction boolean)
      where o.id = m.id and o.id = any(${ids})
      returning o.*
    ),
    logged as (${logAppended(tx.now, entries)}),
    published as (${outboxInserted(events)})
    select ${orderColumns} from moved o`);
}

const NoticeState = z.object({
  request: z.string().nullable(),
  notified_at: z.string().nullable(),
  pending: z.boolean(),
  time_zone: z.string(),
  has_push: z.boolean(),
  has_email: z.boolean(),
});
/** The last delay notice of an order (nulls when there was none), its store's time zone, and how its customer can be reached. */
export type NoticeState = z.output<typeof NoticeState>;

/** Reads the last delay notice of a locked order. */
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
  /** Identifies the request, so that its repeat can be recognised. */
  readonly request: string;
  readonly note: string | null;
  /** Whether the customer is notified later instead of now. */
  readonly pending: boolean;
}

/** Writes a delay notice, and the revised time on its order. */
export async function writeDelayNotice(tx: Transaction, { orderId, storeId, readyAt, request, note, pending }: DelayNotice): Promise<void> {
  const notifiedAt = pending ? null : tx.now.toISOString();
  await tx.query(sql.prepared('write-delay-notice', z.object({}))`
    with written as (
      insert into delay_notice (order_id, store_id, request, note, notified_at, pending)
      values (${orderId}, ${storeId}, ${request}, ${note}, coalesce(${notifiedAt}::timestamptz, now()), ${pending})
      on conflict (order_id) do update
      set request = excluded.request, note = excluded.note, pending = excluded.pending,
          notified_at = coalesce(${notifiedAt}::timestamptz, delay_notice.notified_at)
    )
    update orders set revised_ready_at = ${readyAt.toISOString()}, version = version + 1 where id = ${orderId} and store_id = ${storeId}`);
}

const PendingNotice = z.object({ order_id: z.string(), store_id: z.string() });

/** Reads up to 100 pending notices whose customers were last notified before an instant, oldest first. */
export const findPendingNotices = (database: Database, notifiedBefore: Date): Promise<readonly z.output<typeof PendingNotice>[]> =>
  database.any(sql.prepared('pending-delay-notices', PendingNotice)`
    select order_id, store_id from delay_notice where pending and notified_at <= ${notifiedBefore.toISOString()} order by notified_at limit 100`);

/**
 * Marks the pending notice of a locked order as sent, and returns its note. Null when it is no longer pending, or when the customer was
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
