import type { EventTask, Queries, Transaction } from '@corner/chassis';
import { type Award, noAward } from '../rules/orders.ts';
import { type AwardsOfCard, enterAwards, type PaidOrder, readAwardData } from '../tables/awards.ts';
import type { CardKey } from '../tables/cards.ts';
import { insertVoucher } from '../tables/vouchers.ts';
import { awardOrder } from './award-order.ts';
import { type DecidedAwards, decideAwards, type OrderToAward } from './decide-awards.ts';

/**
 * Awards paid orders, each once, with two statements: one reads, the other locks the cards and writes, and each voucher the stamps complete
 * takes one more. An order on which more than stamps depends, and one whose card changed between the two, is awarded alone, under its
 * card's lock.
 */
export async function awardOrders(orders: readonly EventTask<PaidOrder>[], tx: Transaction): Promise<void> {
  const cards = await readCards(tx, orders);
  if (cards.length === 0) return;
  const changed = new Set((await enterAwards(tx, cards.map(writesOf), tx.now)).map(nameOf));
  for (const { key, orders, decided } of cards) {
    if (decided && changed.has(nameOf(key))) for (const voucher of decided.vouchers) await insertVoucher(tx, decided, voucher);
    else for (const { task, within } of orders) await within(() => awardOrder(tx, task));
  }
}

/**
 * Awards a paid order with two statements outside a transaction, or returns the award it has. Null when {@link awardOrder} has to award it:
 * it completes a voucher, more than stamps depends on it, or its card changed between the two.
 */
export async function awardAtOnce(database: Pick<Queries, 'any'>, order: PaidOrder, { now, newId }: Identity): Promise<Award | null> {
  const [data] = await readAwardData(database, [order]);
  if (data?.entry?.paid) return data.entry.award ?? noAward(data.programme?.goal ?? 0, 0);
  const decided = data ? decideAwards(cardOf(order), [{ task: order, within: (work) => work(), data }], newId) : null;
  if (!decided || decided.vouchers.length > 0) return null;
  const changed = await enterAwards(database, [decided], now());
  return changed.length > 0 ? (decided.orders[0]?.award ?? null) : null;
}

interface Identity {
  readonly now: () => Date;
  readonly newId: () => string;
}

/** A card with the orders that have no award yet, and their awards; null where each is awarded alone. */
interface CardToAward {
  readonly key: CardKey;
  readonly orders: readonly OrderToAward[];
  readonly decided: DecidedAwards | null;
}

async function readCards(tx: Transaction, tasks: readonly EventTask<PaidOrder>[]): Promise<readonly CardToAward[]> {
  // An order may have two events, and gets one award.
  const orders = [...new Map(tasks.map((task) => [task.task.order_id, task])).values()];
  const data = await readAwardData(
    tx,
    orders.map(({ task }) => task),
  );
  const unawarded = orders.flatMap(({ task, within }, index) => {
    const read = data[index];
    return read && !read.entry?.paid ? [{ task, within, data: read }] : [];
  });
  return [...Map.groupBy(unawarded, ({ task }) => nameOf(cardOf(task))).values()].flatMap((ofCard) => {
    const key = ofCard[0] && cardOf(ofCard[0].task);
    return key ? [{ key, orders: ofCard, decided: decideAwards(key, ofCard, tx.newId) }] : [];
  });
}

const cardOf = ({ store_id: storeId, customer_id: customerId }: PaidOrder): CardKey => ({ storeId, customerId });
const nameOf = ({ storeId, customerId }: CardKey): string => `${storeId}:${customerId}`;

/** What is written of a card: its awards, or nothing, so that the card is locked in its place among the others. */
const writesOf = ({ key, decided }: CardToAward): AwardsOfCard => decided ?? { ...key, seen: null, orders: [], events: [] };
