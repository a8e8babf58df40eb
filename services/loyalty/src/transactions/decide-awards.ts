import { randomInt } from 'node:crypto';
import type { EventTask } from '@corner/chassis';
import { stampApproved, voucherMinted } from '@corner/contracts';
import { countsAfterEach, vouchersDue } from '../rules/card.ts';
import { awardOf, noAward, stampsEarned } from '../rules/orders.ts';
import { voucherCode } from '../rules/vouchers.ts';
import type { AwardData, AwardedOrder, AwardsOfCard, PaidOrder } from '../tables/awards.ts';
import type { CardKey } from '../tables/cards.ts';
import { cardEvents } from './card-events.ts';
import type { MintedVoucher } from './count-stamps.ts';

/** A paid order that has no award yet, with what decides about its award. */
export interface OrderToAward extends EventTask<PaidOrder> {
  readonly data: AwardData;
}

/** The awards of a card's orders, and the vouchers they complete. */
export interface DecidedAwards extends AwardsOfCard {
  readonly goal: number;
  readonly vouchers: readonly MintedVoucher[];
}

/**
 * Decides the awards of one card's orders, in their order, from what was read. Null when more than stamps depends on them: an order used a
 * voucher or was refunded, or the card is in debt.
 */
export function decideAwards(key: CardKey, orders: readonly OrderToAward[], newId: () => string): DecidedAwards | null {
  const [first] = orders;
  if (!first || orders.some(({ task, data }) => task.voucher_id !== null || data.entry?.reversed)) return null;
  const { card, programme } = first.data;
  if (card && card.debt > 0) return null;
  const events = first.within(() => cardEvents(key, card?.version ?? 0));
  const vouchers: MintedVoucher[] = [];
  let stampCount = card?.unused ?? 0;
  const decide = (order: PaidOrder): AwardedOrder => {
    const earned = programme ? stampsEarned(programme, order) : 0;
    if (!programme || earned === 0) return { order, award: programme ? noAward(programme.goal, stampCount) : noAward(0, 0), stampIds: [] };
    const { goal, reward_title } = programme;
    const stampIds = Array.from({ length: earned }, newId);
    const counts = countsAfterEach(stampCount + earned, earned);
    for (const [index, stampId] of stampIds.entries())
      events.addStamp(stampApproved, { stampId, source: 'order', orderId: order.order_id, stampCount: counts[index] ?? 0, goal });
    const due = vouchersDue(stampCount + earned, goal);
    const minted = Array.from({ length: due.vouchers }, () => ({ id: newId(), code: voucherCode(randomInt) }));
    for (const voucher of minted) events.addVoucher(voucherMinted, { ...voucher, reward_title }, null);
    vouchers.push(...minted);
    stampCount = due.stampCount;
    return { order, award: awardOf(programme, { earned, stampCount, minted: minted.length > 0 }), stampIds };
  };
  const awarded = orders.map(({ task, within }) => within(() => decide(task)));
  return { ...key, seen: card?.seen ?? null, goal: programme?.goal ?? 0, orders: awarded, events: events.entries, vouchers };
}
