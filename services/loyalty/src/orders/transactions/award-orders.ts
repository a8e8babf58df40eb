import { randomInt } from 'node:crypto';
import type { EventTask, OutboxEntry, Publisher, Queries } from '@corner/chassis';
import { stampApproved, voucherMinted, voucherRedeemed } from '@corner/contracts';
import { type CardStamps, voucherCode } from '../../card/rules.ts';
import type { CardKey } from '../../card/tables/programmes.ts';
import { cardEvents, customerSeenAt } from '../../card/transactions.ts';
import { type Award, decideAward, noAward } from '../rules.ts';
import { type AwardData, type PaidOrder, readAwardData } from '../tables/award-data.ts';
import { type AwardedOrder, type AwardsOfCard, type StampUse, type VoucherToMint, writeAwards } from '../tables/awards.ts';

/** A transaction, or statements without one with the time and the ids of one: an award needs no transaction, since one statement writes it. */
export interface AwardWriter extends Pick<Queries, 'any'>, Publisher {
  readonly now: Date;
  newId(): string;
}

/**
 * Awards paid orders, each once, and returns the award of each by the order's id. One statement reads, rules decide, another writes;
 * orders whose card changed in between are read again. Throws when a card changes each time.
 */
export async function awardOrders(tasks: readonly EventTask<PaidOrder>[], writer: AwardWriter): Promise<ReadonlyMap<string, Award>> {
  const awards = new Map<string, Award>();
  // An order may have two events, and gets one award.
  let orders = [...new Map(tasks.map((task) => [task.task.order_id, task])).values()];
  for (let attempt = 1; attempt <= maxAttempts && orders.length > 0; attempt += 1) {
    const cards = await decideCards(orders, writer, awards);
    if (cards.length === 0) return awards;
    const written = new Set((await writeAwards(writer, cards, writer.now)).map(nameOf));
    for (const card of cards.filter((decided) => written.has(nameOf(decided))))
      for (const { order, award } of card.orders) awards.set(order.order_id, award);
    orders = orders.filter(({ task }) => !awards.has(task.order_id));
  }
  if (orders.length > 0) throw new Error(`cards changed before each of ${maxAttempts} attempts to award their orders`);
  return awards;
}

/** In a transaction the second attempt succeeds, because the first one has locked the cards. */
const maxAttempts = 10;

export async function awardOrder(order: PaidOrder, writer: AwardWriter): Promise<Award> {
  const award = (await awardOrders([{ task: order, within: (work) => work() }], writer)).get(order.order_id);
  if (!award) throw new Error('an order was awarded and has no award');
  return award;
}

async function decideCards(
  tasks: readonly EventTask<PaidOrder>[],
  writer: AwardWriter,
  awards: Map<string, Award>,
): Promise<readonly AwardsOfCard[]> {
  const read = await readAwardData(
    writer,
    tasks.map(({ task }) => task),
  );
  const unawarded: OrderToAward[] = [];
  for (const [index, data] of read.entries()) {
    const task = tasks[index];
    if (task && data.entry?.paid) awards.set(task.task.order_id, data.entry.award ?? noAward(data.programme?.goal ?? 0, 0));
    else if (task) unawarded.push({ ...task, data });
  }
  const byCard = Map.groupBy(unawarded, (order) => nameOf(cardOf(order)));
  return [...byCard.values()].flatMap(([first, ...others]) => (first ? [decideCard([first, ...others], writer.newId)] : []));
}

interface OrderToAward extends EventTask<PaidOrder> {
  readonly data: AwardData;
}

/** Decides the awards of one card's orders, one after the other. Each event is made within the event of its order. */
function decideCard(orders: readonly [OrderToAward, ...OrderToAward[]], newId: () => string): AwardsOfCard {
  const [first] = orders;
  const key = cardOf(first);
  const { card, programme } = first.data;
  const events = first.within(() => cardEvents({ ...key, storeId: first.task.store_id }, card?.version ?? 0));
  const uses = new Map<string, StampUse>();
  const vouchers: VoucherToMint[] = [];
  let stamps: CardStamps = card ?? { unused: [], debt: 0 };
  const decide = ({ task: order, data }: OrderToAward) => {
    const moneyReturned = data.entry?.moneyReturned ?? false;
    const takenBack = moneyReturned || (data.entry?.littleLeft ?? false);
    if (data.voucher && !moneyReturned) events.addVoucher(voucherRedeemed, data.voucher, order.order_id);
    const decided = decideAward({ ...order, takenBack, hasTap: order.stamp_id !== undefined }, stamps, programme, newId);
    for (const [index, stampCount] of decided.counts.entries()) {
      const stampId = decided.stampIds[index] ?? '';
      const of = { source: 'order', orderId: order.order_id, at: order.store_id };
      events.addStamp(stampApproved, { ...of, stampId, stampCount, goal: decided.award.goal });
    }
    for (const id of decided.payingDebt) uses.set(id, { voucherId: null, paidDebt: true });
    for (const ids of decided.completing) {
      const voucher = { id: newId(), code: voucherCode(randomInt) };
      for (const id of ids) uses.set(id, { voucherId: voucher.id, paidDebt: false });
      vouchers.push({ ...voucher, completingStampId: ids.at(-1) ?? '' });
      events.addVoucher(voucherMinted, { ...voucher, reward_title: decided.award.reward_title }, null);
    }
    stamps = decided.card;
    return { order, moneyReturned, takenBack, seen: data.seen ?? true, award: decided.award, stampIds: decided.stampIds };
  };
  const decided = orders.map((order) => order.within(() => decide(order)));
  const useOf = (id: string) => ({ id, ...(uses.get(id) ?? unused) });
  return {
    ...key,
    version: card?.version ?? null,
    orders: decided.map(({ stampIds, ...order }): AwardedOrder => ({ ...order, stamps: stampIds.map(useOf) })),
    used: (card?.unused ?? []).filter((id) => uses.has(id)).map(useOf),
    vouchers,
    paidDebt: (card?.debt ?? 0) - stamps.debt,
    events: [...events.entries, ...seenElsewhere(decided)],
  };
}

function seenElsewhere(orders: readonly { readonly order: PaidOrder; readonly seen: boolean }[]): OutboxEntry[] {
  const customers = new Map(
    orders.flatMap(({ order: { store_id: storeId, customer_id: customerId }, seen }) => (seen ? [] : [[storeId, { storeId, customerId }]])),
  );
  return [...customers.values()].map(customerSeenAt);
}

const unused: StampUse = { voucherId: null, paidDebt: false };
const cardOf = ({ task, data }: OrderToAward): CardKey => ({
  programmeId: data.programmeId ?? task.store_id,
  customerId: task.customer_id,
});
const nameOf = ({ programmeId, customerId }: CardKey): string => `${programmeId}:${customerId}`;
