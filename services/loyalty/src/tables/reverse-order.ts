import type { Transaction } from '@corner/chassis';
import { type DataOf, type orderRefunded, type orderRefundFailed, stampReversed, voucherRestored, voucherVoided } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { decideReversal, type OrderStamp } from '../rules/reversal.ts';
import { type Card, lockCard, settleCard, standingOf, tellApproved } from './cards.ts';

const none = z.object({});

/**
 * Counts a refund, and for a full one takes the order's stamps back. One that overtakes the award leaves word in the ledger, and
 * then the award gives nothing. The sums only ever rise, so refunds may come in any order.
 */
export async function reverseRefundedOrder(
  tx: Transaction,
  refund: DataOf<typeof orderRefunded>,
  sequence: number,
  at: Date,
  newId: () => string,
): Promise<void> {
  const card = await lockCard(tx, refund.store_id, refund.customer_id, at);
  const ledger = await tx.one(sql.prepared(
    'enter-refund',
    z.object({ reversed: z.boolean(), awarded: z.boolean(), refund_sequence: z.number() }),
  )`
    insert into order_ledger (order_id, store_id, customer_id, refunded_pence, refund_sequence)
    values (${refund.order_id}, ${refund.store_id}, ${refund.customer_id}, ${refund.cumulative_pence}, ${sequence})
    on conflict (order_id) do update
    set refunded_pence = case when excluded.refund_sequence > order_ledger.refund_sequence then excluded.refunded_pence else order_ledger.refunded_pence end,
        refund_sequence = greatest(order_ledger.refund_sequence, excluded.refund_sequence)
    returning reversed, awarded, refund_sequence`);
  if (!refund.full || ledger.reversed || ledger.refund_sequence > sequence) return;
  await tx.query(sql.prepared('mark-reversed', none)`update order_ledger set reversed = true where order_id = ${refund.order_id}`);
  if (!card) return;
  await takeBackStamps(tx, card, refund.order_id, at, newId);
  if (refund.voucher_id) await restoreVoucher(tx, card, refund.voucher_id, refund.order_id, at);
}

const StampRow = z.object({
  id: z.string(),
  paid_debt: z.boolean(),
  voucher_id: z.string().nullable(),
  voucher_status: z.enum(['active', 'reserved', 'redeemed', 'expired', 'voided']).nullable(),
});

/** Stamps that are freed with a fallen voucher pay what is owed and make up the next one, as any others would. */
async function takeBackStamps(tx: Transaction, card: Card, orderId: string, at: Date, newId: () => string): Promise<void> {
  const rows = await tx.any(sql.prepared('stamps-of-order', StampRow)`
    select s.id, s.paid_debt, s.voucher_id, v.status as voucher_status
    from stamp s left join voucher v on v.id = s.voucher_id
    where s.order_id = ${orderId} and s.store_id = ${card.storeId} and s.status = 'approved' order by s.n`);
  if (rows.length === 0) return;
  const stamps: OrderStamp[] = rows.map(({ id, paid_debt, voucher_id, voucher_status }) => ({
    id,
    paidDebt: paid_debt,
    voucher: voucher_id && voucher_status ? { id: voucher_id, status: voucher_status } : null,
  }));
  const { reverse, voidVouchers, owed } = decideReversal(stamps);
  const voided = await tx.any(sql.prepared(
    'void-vouchers',
    z.object({ id: z.string(), code: z.string(), reward_title: z.string().nullable() }),
  )`
    with freed as (
      update stamp set voucher_id = null where voucher_id = any(${sql.array([...voidVouchers], 'uuid')})
    )
    update voucher set status = 'voided' where id = any(${sql.array([...voidVouchers], 'uuid')}) and store_id = ${card.storeId}
    returning id, code, reward_title`);
  await tx.query(sql.prepared('reverse-stamps', none)`
    with reversed as (
      update stamp set status = 'reversed', owed = id = any(${sql.array([...owed], 'uuid')}) where id = any(${sql.array([...reverse], 'uuid')})
    )
    update card set debt = debt + ${owed.length} where store_id = ${card.storeId} and customer_id = ${card.customerId}`);
  const left = await standingOf(tx, card);
  for (const id of reverse)
    await card.tellStamp(stampReversed, { stamp_id: id, source: 'order', order_id: orderId, stamp_count: left.stampCount });
  for (const { id, code, reward_title } of voided)
    await card.tellVoucher(voucherVoided, { voucher_id: id, reward_title, code_tail: code.slice(-4), order_id: orderId });
  await settleCard(tx, card, left, at, newId);
}

/** A voucher this order had used is good again, or past its day. */
async function restoreVoucher(tx: Transaction, card: Card, voucherId: string, orderId: string, at: Date): Promise<void> {
  const voucher = await tx.maybeOne(sql.prepared(
    'restore-voucher',
    z.object({ code: z.string(), status: z.string(), reward_title: z.string().nullable() }),
  )`
    update voucher
    set status = case when expires_at > ${at.toISOString()} then 'active' else 'expired' end, redeemed_by_order = null, redeemed_at = null, reserved_by = null
    where id = ${voucherId} and store_id = ${card.storeId} and status = 'redeemed' and redeemed_by_order = ${orderId}
    returning code, status, reward_title`);
  if (voucher?.status === 'active') {
    await card.tellVoucher(voucherRestored, {
      voucher_id: voucherId,
      reward_title: voucher.reward_title,
      code_tail: voucher.code.slice(-4),
      order_id: orderId,
    });
  }
}

/** A full refund that failed after all: the order's stamps count again, and what they left owing is forgiven. */
export async function reinstateAfterFailedRefund(
  tx: Transaction,
  failed: DataOf<typeof orderRefundFailed>,
  sequence: number,
  at: Date,
  newId: () => string,
): Promise<void> {
  const card = await lockCard(tx, failed.store_id, failed.customer_id, at);
  const { reversed } = await tx.one(sql.prepared('enter-failed-refund', z.object({ reversed: z.boolean() }))`
    insert into order_ledger (order_id, store_id, customer_id, refunded_pence, refund_sequence)
    values (${failed.order_id}, ${failed.store_id}, ${failed.customer_id}, ${failed.cumulative_pence}, ${sequence})
    on conflict (order_id) do update
    set refunded_pence = case when excluded.refund_sequence > order_ledger.refund_sequence then excluded.refunded_pence else order_ledger.refunded_pence end,
        refund_sequence = greatest(order_ledger.refund_sequence, excluded.refund_sequence),
        reversed = order_ledger.reversed and not (${failed.was_full} and excluded.refund_sequence >= order_ledger.refund_sequence)
    returning reversed`);
  if (!card || !failed.was_full || reversed) return;
  const stamps = await tx.any(sql.prepared('reinstate-stamps', z.object({ id: z.string(), owed: z.boolean() }))`
    update stamp set status = 'approved', owed = false
    where order_id = ${failed.order_id} and store_id = ${card.storeId} and status = 'reversed'
    returning id, old.owed`);
  if (stamps.length === 0) return;
  const forgiven = stamps.filter(({ owed }) => owed).length;
  if (forgiven > 0) await forgiveDebt(tx, card, forgiven);
  const reached = await standingOf(tx, card);
  const ids = stamps.map(({ id }) => id);
  await tellApproved(card, ids, { source: 'order', order_id: failed.order_id }, reached.stampCount);
  await settleCard(tx, card, reached, at, newId);
}

/** What was paid of it already is free again. */
async function forgiveDebt(tx: Transaction, { storeId, customerId }: Card, count: number): Promise<void> {
  await tx.query(sql.prepared('forgive-debt', none)`
    with forgiven as (
      update card set debt = greatest(0, debt - ${count}) where store_id = ${storeId} and customer_id = ${customerId}
      returning greatest(0, ${count} - old.debt) as paid
    )
    update stamp set paid_debt = false where id in (
      select id from stamp where store_id = ${storeId} and customer_id = ${customerId} and status = 'approved' and paid_debt
      order by created_at desc, id desc limit (select paid from forgiven)
    )`);
}
