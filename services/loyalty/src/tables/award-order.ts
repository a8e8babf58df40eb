import { randomInt } from 'node:crypto';
import type { Transaction } from '@corner/chassis';
import { type AnswerOf, type AskOf, type awardOrder, stampApproved, voucherRedeemed } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { voucherCode } from '../rules/codes.ts';
import { countStamps, lockCard, settleCard } from './cards.ts';

export type Award = AnswerOf<typeof awardOrder>;

const Ledger = z.object({ paid: z.boolean(), awarded: z.boolean(), reversed: z.boolean(), award: z.unknown() });

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
 * order whose full refund came before earns nothing.
 */
export async function awardPaidOrder(tx: Transaction, order: AskOf<typeof awardOrder>, at: Date, newId: () => string): Promise<Award> {
  const card = await lockCard(tx, order.store_id, order.customer_id, at);
  const before = await tx.maybeOne(sql.prepared('order-in-ledger', Ledger)`
    select paid, awarded, reversed, award from order_ledger where order_id = ${order.order_id} for update`);
  if (before?.paid) return (before.award as Award | null) ?? nothing(card?.goal ?? 0, 0);
  await tx.query(sql.prepared('enter-paid-order', z.object({}))`
    with entered as (
      insert into order_ledger (order_id, store_id, customer_id, paid, paid_pence)
      values (${order.order_id}, ${order.store_id}, ${order.customer_id}, true, ${order.total_pence})
      on conflict (order_id) do update set paid = true, paid_pence = excluded.paid_pence
    )
    update card set order_count = order_count + 1, last_visit_at = greatest(last_visit_at, ${order.paid_at}::timestamptz)
    where store_id = ${order.store_id} and customer_id = ${order.customer_id}`);
  if (card && order.voucher_id) await redeemReserved(tx, card, order.voucher_id, order.order_id, at);
  const earns = card?.enabled && !before?.reversed && order.net_of_tip_pence >= card.min_spend_pence ? card.stamps_per_order : 0;
  if (!card || earns === 0) {
    const award = nothing(card?.goal ?? 0, card ? await countStamps(tx, order.store_id, order.customer_id) : 0);
    await keepAward(tx, order.order_id, award);
    return award;
  }
  const stampIds = Array.from({ length: earns }, newId);
  await tx.query(sql.prepared('stamp-order', z.object({}))`
    insert into stamp (id, store_id, customer_id, status, source, order_id, n, created_at, approved_at)
    select s.id, ${order.store_id}, ${order.customer_id}, 'approved', 'order', ${order.order_id}, s.n, ${at.toISOString()}, ${at.toISOString()}
    from unnest(${sql.array(stampIds, 'uuid')}) with ordinality s(id, n)`);
  const reached = await countStamps(tx, order.store_id, order.customer_id);
  for (const [index, stampId] of stampIds.entries()) {
    await card.tellStamp(stampApproved, {
      stamp_id: stampId,
      source: 'order',
      order_id: order.order_id,
      stamp_count: reached - (stampIds.length - 1 - index),
    });
  }
  const minted = await settleCard(tx, card, at, newId, () => voucherCode(randomInt));
  const award: Award = {
    awarded: true,
    stamps_added: earns,
    stamp_count: await countStamps(tx, order.store_id, order.customer_id),
    goal: card.goal,
    voucher_minted: minted.length > 0,
    reward_title: card.reward_title,
    reward_unlock_message: minted.length > 0 ? card.reward_unlock_message : null,
  };
  await keepAward(tx, order.order_id, award);
  return award;
}

async function keepAward(tx: Transaction, orderId: string, award: Award): Promise<void> {
  await tx.query(sql.prepared('keep-award', z.object({}))`
    update order_ledger set awarded = ${award.awarded}, award = ${sql.jsonb(award)} where order_id = ${orderId}`);
}

/** The voucher reserved for this order is used now; also when its reservation lapsed meanwhile and nobody else took it. */
async function redeemReserved(
  tx: Transaction,
  card: NonNullable<Awaited<ReturnType<typeof lockCard>>>,
  voucherId: string,
  orderId: string,
  at: Date,
): Promise<void> {
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
