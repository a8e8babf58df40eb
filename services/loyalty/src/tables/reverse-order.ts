import type { Transaction } from '@corner/chassis';
import { stampReversed, voucherExpired, voucherRestored, voucherVoided } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { decideReversal, type OrderStamp } from '../rules/reversal.ts';
import { type Card, lockCard, settleCard, standingOf, tellApproved } from './cards.ts';

const none = z.object({});

/** What is refunded of an order, as one piece of news has it. */
interface Refunds {
  readonly order_id: string;
  readonly store_id: string;
  readonly customer_id: string;
  readonly cumulative_pence: number;
  /** Whether that is all that was paid. */
  readonly full: boolean;
  /** The voucher the order was paid with, to be given back with a full refund. */
  readonly voucher_id: string | null;
}

const Entered = z.object({ reversed: z.boolean(), before: z.boolean() });

/**
 * Follows what is refunded of an order. The newest news counts, whichever comes first: all refunded, the order's stamps are taken
 * back; no longer so, since a refund failed, they count again. News that overtakes the award leaves word in the ledger for it.
 */
export async function followRefunds(tx: Transaction, refunds: Refunds, sequence: number, at: Date, newId: () => string): Promise<void> {
  const { order_id, store_id, customer_id, cumulative_pence, full } = refunds;
  const card = await lockCard(tx, store_id, customer_id, at);
  const newer = sql.fragment`excluded.refund_sequence > order_ledger.refund_sequence`;
  const { reversed, before } = await tx.one(sql.prepared('enter-refunds', Entered)`
    insert into order_ledger (order_id, store_id, customer_id, refunded_pence, reversed, refund_sequence)
    values (${order_id}, ${store_id}, ${customer_id}, ${cumulative_pence}, ${full}, ${sequence})
    on conflict (order_id) do update
    set refunded_pence = case when ${newer} then excluded.refunded_pence else order_ledger.refunded_pence end,
        reversed = case when ${newer} then excluded.reversed else order_ledger.reversed end,
        refund_sequence = greatest(order_ledger.refund_sequence, excluded.refund_sequence)
    returning reversed, coalesce(old.reversed, false) as before`);
  if (!card || reversed === before) return;
  if (!reversed) return await reinstateStamps(tx, card, order_id, at, newId);
  await takeBackStamps(tx, card, order_id, at, newId);
  if (refunds.voucher_id) await restoreVoucher(tx, card, refunds.voucher_id, order_id, at);
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
  if (voucher) {
    await card.tellVoucher(voucher.status === 'active' ? voucherRestored : voucherExpired, {
      voucher_id: voucherId,
      reward_title: voucher.reward_title,
      code_tail: voucher.code.slice(-4),
      order_id: orderId,
    });
  }
}

/** The stamps of an order that is not fully refunded after all count again, and what they left owing is forgiven. */
async function reinstateStamps(tx: Transaction, card: Card, orderId: string, at: Date, newId: () => string): Promise<void> {
  const stamps = await tx.any(sql.prepared('reinstate-stamps', z.object({ id: z.string(), owed: z.boolean() }))`
    update stamp set status = 'approved', owed = false
    where order_id = ${orderId} and store_id = ${card.storeId} and status = 'reversed'
    returning id, old.owed`);
  if (stamps.length === 0) return;
  const forgiven = stamps.filter(({ owed }) => owed).length;
  if (forgiven > 0) await forgiveDebt(tx, card, forgiven);
  const reached = await standingOf(tx, card);
  const ids = stamps.map(({ id }) => id);
  await tellApproved(card, ids, { source: 'order', order_id: orderId }, reached.stampCount);
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
