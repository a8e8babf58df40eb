import type { Transaction } from '@corner/chassis';
import { awardOrder, type RpcInput, type RpcOutput, voucherRedeemed } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Card, lockCard, Standing, selectStanding, settleCard, tellApproved } from './cards.ts';
import { releaseReserved } from './vouchers.ts';

export type Award = RpcOutput<typeof awardOrder>;

const Ledger = z.object({ paid: z.boolean(), reversed: z.boolean(), award: awardOrder.output.nullable() });

const none = z.object({});

const nothing = (goal: number, stampCount: number): Award => ({
  awarded: false,
  stamps_added: 0,
  stamp_count: stampCount,
  goal,
  voucher_minted: false,
  reward_title: null,
  reward_unlock_message: null,
});

/**
 * Awards a paid order's stamps, once, whether the question or the event comes first; the second reads the first's result. An
 * order whose full refund came before has its stamps entered as taken back already, so that they count if that refund fails.
 */
export async function awardPaidOrder(tx: Transaction, order: RpcInput<typeof awardOrder>, at: Date, newId: () => string): Promise<Award> {
  const card = await lockCard(tx, order.store_id, order.customer_id, at);
  const before = await tx.maybeOne(sql.prepared('order-in-ledger', Ledger)`
    select paid, reversed, award from order_ledger where order_id = ${order.order_id}`);
  if (before?.paid) return before.award ?? nothing(card?.goal ?? 0, 0);
  const reversed = before?.reversed ?? false;
  if (order.voucher_id) {
    if (reversed) await releaseReserved(tx, order.store_id, order.voucher_id, order.order_id);
    else if (card) await redeemReserved(tx, card, order.voucher_id, order.order_id, at);
  }
  const award = card ? await stampCard(tx, card, order, reversed, at, newId) : nothing(0, 0);
  await tx.query(sql.prepared('enter-paid-order', none)`
    with entered as (
      insert into order_ledger (order_id, store_id, customer_id, paid, paid_pence, awarded, award)
      values (${order.order_id}, ${order.store_id}, ${order.customer_id}, true, ${order.total_pence}, ${award.awarded}, ${sql.jsonb(award)})
      on conflict (order_id) do update
      set paid = true, paid_pence = excluded.paid_pence, awarded = excluded.awarded, award = excluded.award
    )
    update card set order_count = order_count + 1, last_visit_at = greatest(last_visit_at, ${order.paid_at}::timestamptz)
    where store_id = ${order.store_id} and customer_id = ${order.customer_id}`);
  return award;
}

async function stampCard(
  tx: Transaction,
  card: Card,
  order: RpcInput<typeof awardOrder>,
  reversed: boolean,
  at: Date,
  newId: () => string,
): Promise<Award> {
  const earns = card.enabled && order.net_of_tip_pence >= card.min_spend_pence ? card.stamps_per_order : 0;
  const stampIds = Array.from({ length: earns }, newId);
  const reached = await tx.one(sql.prepared('stamp-order', Standing)`
    with fresh as (
      insert into stamp (id, store_id, customer_id, status, source, order_id, n, created_at, approved_at)
      select s.id, ${card.storeId}, ${card.customerId}, ${reversed ? 'reversed' : 'approved'}, 'order', ${order.order_id}, s.n,
        ${at.toISOString()}, ${at.toISOString()}
      from unnest(${sql.array(stampIds, 'uuid')}) with ordinality s(id, n)
      returning status
    )
    ${selectStanding(card, sql.fragment`(select count(*) from fresh where status = 'approved')`)}`);
  if (earns === 0 || reversed) return nothing(card.goal, reached.stampCount);
  await tellApproved(card, stampIds, { source: 'order', order_id: order.order_id }, reached.stampCount);
  const { minted, stampCount } = await settleCard(tx, card, reached, at, newId);
  return {
    awarded: true,
    stamps_added: earns,
    stamp_count: stampCount,
    goal: card.goal,
    voucher_minted: minted.length > 0,
    reward_title: card.reward_title,
    reward_unlock_message: minted.length > 0 ? card.reward_unlock_message : null,
  };
}

/** The voucher reserved for this order is used now; also when its reservation lapsed meanwhile and nobody else took it. */
async function redeemReserved(tx: Transaction, card: Card, voucherId: string, orderId: string, at: Date): Promise<void> {
  const voucher = await tx.maybeOne(sql.prepared(
    'redeem-reserved-voucher',
    z.object({ code: z.string(), reward_title: z.string().nullable() }),
  )`
    update voucher set status = 'redeemed', redeemed_by_order = ${orderId}, redeemed_at = ${at.toISOString()}, reserved_until = null
    where id = ${voucherId} and store_id = ${card.storeId} and customer_id = ${card.customerId}
      and (status = 'reserved' and reserved_by = ${orderId} or status in ('active', 'expired'))
    returning code, reward_title`);
  if (voucher) {
    await card.tellVoucher(voucherRedeemed, {
      voucher_id: voucherId,
      reward_title: voucher.reward_title,
      code_tail: voucher.code.slice(-4),
      order_id: orderId,
    });
  }
}
