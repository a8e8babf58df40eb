import type { Queries, Transaction } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { appendLog } from './log.ts';
import type { OrderRow } from './orders.ts';

export const RefundRow = z.object({
  id: z.string(),
  store_id: z.string(),
  payment_order_id: z.string(),
  order_id: z.string(),
  attempt: z.string(),
  amount_pence: z.number(),
  reason: z.string(),
  by_name: z.string().nullable(),
  status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled', 'rejected']),
  provider_refund_id: z.string().nullable(),
  told: z.boolean(),
  /** Who bears it; see the migration. */
  borne_by: z.enum(['store', 'reversed', 'platform']),
});
export type RefundRow = z.output<typeof RefundRow>;

/** The columns of {@link RefundRow}. */
export const refundColumns: FragmentSqlToken = sql.fragment`
  id, store_id, payment_order_id, order_id, attempt, amount_pence, reason, by_name, status, provider_refund_id, told, borne_by`;

/** The refund an attempt stands for, if it was made. */
export const findAttempt = (tx: Transaction, orderId: string, attempt: string): Promise<RefundRow | null> =>
  tx.maybeOne(sql.prepared('find-refund-attempt', RefundRow)`
    select ${refundColumns} from refund where payment_order_id = ${orderId} and attempt = ${attempt}`);

const Reserved = z.object({ pence: z.number(), of_named: z.number(), reversed: z.number(), count: z.number(), window_days: z.number() });

/**
 * What is refunded or about to be of the order money was paid on, and of the one that is named; what refunds that came back have left
 * reversed of the store's share; and the store's window.
 */
export const reservedFor = (tx: Transaction, storeId: string, orderId: string, named: string): Promise<z.output<typeof Reserved>> =>
  tx.one(sql.prepared('refunds-reserved', Reserved)`
    select coalesce(sum(r.amount_pence) filter (where r.stands), 0)::int as pence,
      coalesce(sum(r.amount_pence) filter (where r.stands and r.order_id = ${named}), 0)::int as of_named,
      (coalesce(sum(r.amount_pence) filter (where not r.stands and r.borne_by = 'store' and r.provider_refund_id is not null and r.status <> 'rejected'), 0)
        - coalesce(sum(r.amount_pence) filter (where r.stands and r.borne_by = 'reversed'), 0))::int as reversed,
      (count(r.id) filter (where r.stands))::int as count, s.refund_window_days as window_days
    from store s left join (
      select *, status not in ('failed', 'canceled', 'rejected') as stands from refund where payment_order_id = ${orderId}
    ) r on true
    where s.id = ${storeId}
    group by s.refund_window_days`);

export interface Reservation {
  readonly id: string;
  /** The order the money was paid on, and the one the refund is for: the same, or a leg of it. */
  readonly payment: OrderRow;
  readonly target: OrderRow;
  readonly attempt: string;
  readonly amountPence: number;
  readonly reason: string;
  readonly byId: string;
  readonly byName: string | null;
  readonly borneBy?: 'store' | 'reversed';
  readonly at: Date;
}

/** Reserves a refund under the order's lock, before the provider hears of it. */
export async function reserveRefund(tx: Transaction, r: Reservation): Promise<RefundRow> {
  await appendLog(tx, {
    storeId: r.target.store_id,
    orderId: r.target.id,
    at: r.at,
    kind: 'refund_requested',
    title: 'A refund was requested',
    detail: r.reason,
    actor: r.byName,
    amountPence: r.amountPence,
  });
  return await tx.one(sql.prepared('reserve-refund', RefundRow)`
    insert into refund (id, store_id, payment_order_id, order_id, attempt, amount_pence, reason, by_id, by_name, status, borne_by, created_at)
    values (${r.id}, ${r.target.store_id}, ${r.payment.id}, ${r.target.id}, ${r.attempt}, ${r.amountPence}, ${r.reason}, ${r.byId}, ${r.byName}, 'pending', ${r.borneBy ?? 'store'},
      ${r.at.toISOString()})
    returning ${refundColumns}`);
}

/** The provider said no: nothing moved, and the attempt is spent. Answers whether it was still open. */
export async function rejectRefund(tx: Transaction, refund: RefundRow, reason: string, at: Date): Promise<boolean> {
  const rejected = await tx.maybeOne(sql.prepared('reject-refund', z.object({ id: z.string() }))`
    update refund set status = 'rejected', settled_at = ${at.toISOString()} where id = ${refund.id} and status = 'pending' returning id`);
  if (!rejected) return false;
  await appendLog(tx, {
    storeId: refund.store_id,
    orderId: refund.order_id,
    at,
    kind: 'refund_failed',
    title: 'The payment provider refused the refund',
    detail: reason,
    actor: refund.by_name,
    amountPence: refund.amount_pence,
  });
  return true;
}

/** Has the platform bear a refund the store's account cannot, where it has agreed to. Answers whether it does. */
export const coverRefund = async (queries: Queries, refund: RefundRow): Promise<boolean> =>
  (await queries.maybeOne(sql.prepared('cover-refund', z.object({ id: z.string() }))`
    update refund r set borne_by = 'platform' from store s
    where r.id = ${refund.id} and r.status = 'pending' and r.borne_by = 'store' and s.id = r.store_id and s.platform_covers_refunds
    returning r.id`)) !== null;

/** A refund as it is now. */
export const findRefund = (queries: Queries, refundId: string): Promise<RefundRow | null> =>
  queries.maybeOne(sql.prepared('find-refund-row', RefundRow)`select ${refundColumns} from refund where id = ${refundId}`);
