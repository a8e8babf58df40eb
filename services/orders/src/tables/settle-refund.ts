import { publish, type Transaction } from '@corner/chassis';
import { orderRefunded, orderRefundFailed } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { ProviderOutcome } from '../rules/refunds.ts';
import { releaseHolds, takeBack } from './holds.ts';
import { appendLog } from './log.ts';
import { lockFamily, namesOf, nextOf, type OrderRow } from './orders.ts';
import { RefundRow, refundColumns } from './refunds.ts';

const accepted = (status: string): boolean => status === 'succeeded' || status === 'pending' || status === 'requires_action';

/**
 * Writes down what the provider made of a refund. Accepted for the first time: the ledger, the sums on the orders, the log and
 * order.refunded, once; when nothing is left the promo code is free again. Failed after it was accepted: all of that is taken back,
 * once, and order.refund_failed says so.
 */
export async function settleRefund(
  tx: Transaction,
  storeId: string,
  refundId: string,
  provider: ProviderOutcome,
  at: Date,
): Promise<RefundRow | null> {
  const found = await tx.maybeOne(sql.prepared('find-refund', z.object({ payment_order_id: z.string() }))`
    select payment_order_id from refund where id = ${refundId} and store_id = ${storeId}`);
  if (!found) return null;
  const family = await lockFamily(tx, storeId, found.payment_order_id);
  const refund = await tx.one(sql.prepared('read-refund', RefundRow)`select ${refundColumns} from refund where id = ${refundId}`);
  if (!family || (refund.status === provider.status && refund.provider_refund_id === provider.id && refund.told)) return refund;
  if (refund.status === 'failed' || refund.status === 'canceled') return refund;
  const order = family.main;
  const gains = accepted(provider.status) && !refund.told;
  const loses = !accepted(provider.status) && refund.told;
  const change = gains ? refund.amount_pence : loses ? -refund.amount_pence : 0;
  const cumulative = order.refunded_pence + change;
  const full = gains ? cumulative >= order.total_pence : loses ? false : order.fully_refunded;
  await tx.query(sql.prepared('settle-refund', z.object({}))`
    with settled as (
      update refund set status = ${provider.status}, provider_refund_id = ${provider.id}, told = ${accepted(provider.status)}, settled_at = ${at.toISOString()}
      where id = ${refundId}
    )
    update orders o
    set refunded_pence = case when o.parent_order_id is null then ${cumulative} when ${full} then o.total_pence else own.pence end,
        fully_refunded = ${full} or (o.parent_order_id is not null and o.total_pence > 0 and own.pence >= o.total_pence),
        version = o.version + case when o.parent_order_id is null and ${gains || loses} then 1 else 0 end
    from orders f, lateral (
      select coalesce(sum(r.amount_pence) filter (where case when r.id = ${refundId} then ${accepted(provider.status)} else r.told end), 0)::int as pence
      from refund r where r.order_id = f.id and r.payment_order_id = ${order.id}
    ) own
    where f.id = o.id and (f.id = ${order.id} or f.parent_order_id = ${order.id})`);
  if (full && !order.fully_refunded) await releaseHolds(tx, storeId, [order.id], ['promo']);
  // What came too late had lost its code before, and not by this refund.
  if (!full && order.fully_refunded && order.is_first !== null) await takeBack(tx, storeId, [order.id], ['promo']);
  if (gains || loses) await tellOf(tx, order, refund, { providerRef: provider.id, gains, cumulative, full, at });
  return { ...refund, status: provider.status, provider_refund_id: provider.id, told: accepted(provider.status) };
}

interface Settled {
  readonly providerRef: string;
  readonly gains: boolean;
  readonly cumulative: number;
  readonly full: boolean;
  readonly at: Date;
}

async function tellOf(
  tx: Transaction,
  order: OrderRow,
  refund: RefundRow,
  { providerRef, gains, cumulative, full, at }: Settled,
): Promise<void> {
  const names = namesOf(order);
  const about = nextOf(order);
  await tx.query(sql.prepared('enter-refund', z.object({}))`
    insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
    values (${order.store_id}, ${order.id}, ${gains ? 'refund' : 'refund_failed'}, ${providerRef}, ${gains ? -refund.amount_pence : refund.amount_pence}, ${at.toISOString()})`);
  await appendLog(tx, {
    storeId: order.store_id,
    orderId: refund.order_id,
    at,
    kind: gains ? 'refund_succeeded' : 'refund_failed',
    title: gains ? 'The refund was accepted' : 'The refund failed at the payment provider',
    detail: refund.reason,
    actor: refund.by_name,
    amountPence: refund.amount_pence,
  });
  if (gains) {
    await publish(tx, orderRefunded, {
      ...about,
      data: {
        ...names,
        refund_id: refund.id,
        amount_pence: refund.amount_pence,
        cumulative_pence: cumulative,
        paid_pence: order.total_pence,
        full,
        voucher_id: order.voucher_id,
      },
    });
  } else {
    await publish(tx, orderRefundFailed, {
      ...about,
      data: {
        ...names,
        refund_id: refund.id,
        amount_pence: refund.amount_pence,
        cumulative_pence: cumulative,
        was_full: order.fully_refunded,
      },
    });
  }
}
