import { randomInt } from 'node:crypto';
import type { Transaction } from '@corner/chassis';
import {
  type DataOf,
  type orderRefunded,
  type orderRefundFailed,
  stampApproved,
  stampReversed,
  voucherRestored,
  voucherVoided,
} from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { voucherCode } from '../rules/codes.ts';
import { decideReversal, type OrderStamp } from '../rules/reversal.ts';
import { type Card, countStamps, lockCard, settleCard } from './cards.ts';

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
  await takeBackStamps(tx, card, refund.order_id);
  if (refund.voucher_id) await restoreVoucher(tx, card, refund.voucher_id, refund.order_id, at);
}

const StampRow = z.object({
  id: z.string(),
  paid_debt: z.boolean(),
  voucher_id: z.string().nullable(),
  voucher_status: z.enum(['active', 'reserved', 'redeemed', 'expired', 'voided']).nullable(),
});

async function takeBackStamps(tx: Transaction, card: Card, orderId: string): Promise<void> {
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
  const { reverse, voidVouchers, debt } = decideReversal(stamps);
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
      update stamp set status = 'reversed' where id = any(${sql.array([...reverse], 'uuid')})
    )
    update card set debt = debt + ${debt} where store_id = ${card.storeId} and customer_id = ${card.customerId}`);
  const count = await countStamps(tx, card.storeId, card.customerId);
  for (const id of reverse) await card.tellStamp(stampReversed, { stamp_id: id, source: 'order', order_id: orderId, stamp_count: count });
  for (const { id, code, reward_title } of voided)
    await card.tellVoucher(voucherVoided, { voucher_id: id, reward_title, code_tail: code.slice(-4), order_id: orderId });
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

/** A full refund that failed after all: the order's stamps count again. */
export async function reinstateAfterFailedRefund(
  tx: Transaction,
  failed: DataOf<typeof orderRefundFailed>,
  sequence: number,
  at: Date,
  newId: () => string,
): Promise<void> {
  const card = await lockCard(tx, failed.store_id, failed.customer_id, at);
  await tx.query(sql.prepared('enter-failed-refund', none)`
    insert into order_ledger (order_id, store_id, customer_id, refunded_pence, refund_sequence)
    values (${failed.order_id}, ${failed.store_id}, ${failed.customer_id}, ${failed.cumulative_pence}, ${sequence})
    on conflict (order_id) do update
    set refunded_pence = case when excluded.refund_sequence > order_ledger.refund_sequence then excluded.refunded_pence else order_ledger.refunded_pence end,
        refund_sequence = greatest(order_ledger.refund_sequence, excluded.refund_sequence),
        reversed = order_ledger.reversed and excluded.refund_sequence < order_ledger.refund_sequence`);
  if (!card || !failed.was_full) return;
  const stamps = await tx.any(sql.prepared('reinstate-stamps', z.object({ id: z.string() }))`
    update stamp set status = 'approved', paid_debt = false, voucher_id = null
    where order_id = ${failed.order_id} and store_id = ${card.storeId} and status = 'reversed' and voucher_id is null
    returning id`);
  for (const { id } of stamps) {
    await card.tellStamp(stampApproved, {
      stamp_id: id,
      source: 'order',
      order_id: failed.order_id,
      stamp_count: await countStamps(tx, card.storeId, card.customerId),
    });
  }
  await settleCard(tx, card, at, newId, () => voucherCode(randomInt));
}
