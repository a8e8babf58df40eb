import { sql } from 'slonik';
import { z } from 'zod';
import { expireVouchers } from '../../jobs.ts';
import type { Running } from '../running.ts';
import { publishedStanding } from './orders.ts';
import { goal, type ModelShop, monthlyQuota, multiStampCeiling } from './shop.ts';

const Card = z.object({
  customer_id: z.string(),
  version: z.number(),
  debt: z.number(),
  free: z.number(),
  left_debt: z.number(),
  paid_debt: z.number(),
  order_count: z.number(),
});
const Voucher = z.object({ id: z.string(), status: z.string(), stamps: z.number() });
const Stamp = z.object({ id: z.string(), status: z.string() });
const Earned = z.object({ order_id: z.string(), approved: z.number(), others: z.number() });
const Count = z.object({ count: z.number() });
const Wrong = z.object({ what: z.string() });

/** Returns every violated invariant, in words, while no step is running. Vouchers that are due to expire are expired first. */
export async function wrongAtRest(running: Running, model: ModelShop): Promise<readonly string[]> {
  const wrong = await wrongNow(running, model);
  if (wrong.length === 0) return wrong;
  await expireVouchers(running.service.context);
  return await wrongNow(running, model);
}

async function wrongNow(running: Running, model: ModelShop): Promise<readonly string[]> {
  const { database } = running.service;
  const { storeId } = model.shop;
  const cards = await database.any(sql.type(Card)`
    select c.customer_id, c.version, c.debt, c.order_count,
      count(s.id) filter (where s.status = 'approved' and s.voucher_id is null and not s.paid_debt) as free,
      count(s.id) filter (where s.left_debt) as left_debt,
      count(s.id) filter (where s.paid_debt) as paid_debt
    from card c left join stamp s on s.store_id = c.store_id and s.customer_id = c.customer_id
    where c.store_id = ${storeId} group by c.store_id, c.customer_id`);
  const vouchers = await database.any(sql.type(Voucher)`
    select v.id, v.status, count(s.id) as stamps from voucher v left join stamp s on s.voucher_id = v.id
    where v.store_id = ${storeId} group by v.id`);
  const stamps = await database.any(sql.type(Stamp)`select id, status from stamp where store_id = ${storeId} and customer_id is not null`);
  const approvedThisMonth = await database.oneFirst(sql.type(Count)`
    select count(*) from stamp
    where store_id = ${storeId} and customer_id is not null and status = 'approved' and source <> 'order'`);
  return [
    ...model.wrong,
    ...cards.flatMap(({ customer_id, debt, free, left_debt, paid_debt }) => [
      ...(Math.max(0, free - debt) < goal ? [] : [`a card of ${customer_id} has ${free} unused stamps and no voucher was minted`]),
      ...(debt > 0 && free > 0 ? [`a debt of ${debt} remains beside ${free} unused stamps`] : []),
      ...(left_debt === debt + paid_debt ? [] : [`${left_debt} stamps left a debt, of which ${debt} remain and ${paid_debt} are paid`]),
    ]),
    ...vouchers.flatMap(({ id, status, stamps: count }) => [
      ...(count === (status === 'voided' ? 0 : goal) ? [] : [`${count} stamps belong to a voucher that is ${status}`]),
      ...((model.handedOver.get(id) ?? 0) <= (status === 'redeemed' ? 1 : 0)
        ? []
        : [`the voucher was redeemed at the counter, but is ${status}`]),
    ]),
    ...(approvedThisMonth > monthlyQuota ? [`${approvedThisMonth} stamps in a month, above the quota of ${monthlyQuota}`] : []),
    ...(await wrongCustomerStates(model, cards)),
    ...(await wrongInLedger(running, model)),
    ...(await usedMoreThanOnce(running, storeId)),
    ...(await wrongEvents(model, cards, stamps, vouchers)),
  ];
}

/** The state of each customer agrees with the tables and with the orders service. */
async function wrongCustomerStates({ shop, customers, orders }: ModelShop, cards: readonly z.output<typeof Card>[]): Promise<string[]> {
  const shown = await Promise.all(
    customers.map(async (customerId) => {
      const { body } = await shop.state(customerId);
      const card = cards.find(({ customer_id }) => customer_id === customerId);
      const paid = orders.filter((order) => order.reported && order.paid.customer_id === customerId);
      const spent = paid.reduce((sum, order) => sum + publishedStanding(order).spent, 0);
      const counted = Math.max(0, (card?.free ?? 0) - (card?.debt ?? 0));
      return [
        ...(body.stamp_count === counted ? [] : [`the state has ${body.stamp_count} stamps instead of ${counted}`]),
        ...(body.order_count === paid.length ? [] : [`the state has ${body.order_count} orders instead of ${paid.length}`]),
        ...(body.total_spent_pence === spent ? [] : [`the state has ${body.total_spent_pence} pence spent instead of ${spent}`]),
      ];
    }),
  );
  return shown.flat();
}

/** A paid order of at least one penny has earned one stamp, unless its money went back by a full refund or a lost dispute. */
async function wrongInLedger({ service: { database } }: Running, { shop, orders }: ModelShop): Promise<string[]> {
  const earned = await database.any(sql.type(Earned)`
    select order_id, count(*) filter (where status = 'approved') as approved, count(*) filter (where status <> 'approved') as others
    from stamp where store_id = ${shop.storeId} and order_id is not null group by order_id`);
  const byOrder = new Map(earned.map((row) => [row.order_id, row]));
  return orders.flatMap((order) => {
    const { paid, reported } = order;
    const { gone } = publishedStanding(order);
    const { approved, others } = byOrder.get(paid.order_id) ?? { approved: 0, others: 0 };
    const due = reported && paid.total_pence > 0;
    const expected = [due && !gone ? 1 : 0, due && gone ? 1 : 0];
    return `${[approved, others]}` === `${expected}`
      ? []
      : [
          `an order (${reported ? 'paid' : 'unpaid'}${gone ? ', its money gone' : ''}) has ${approved} approved stamps and ${others} others`,
        ];
  });
}

/** No code, tap, request or reservation is used more than once. */
async function usedMoreThanOnce({ service: { database } }: Running, storeId: string): Promise<readonly string[]> {
  return await database.anyFirst(sql.type(Wrong)`
    select 'a code made ' || count(s.id) || ' stamps, used: ' || (c.used_at is not null) as what
    from stamp_code c left join stamp s on s.code_id = c.id where c.store_id = ${storeId}
    group by c.id having count(s.id) <> (c.used_at is not null)::int
    union all
    select 'more stamps with a proof than used taps' where
      (select count(*) from stamp s
        where s.store_id = ${storeId} and s.approval_reason = 'nfc_proof')
      > (select count(*) from nfc_tap t join tag on tag.uid = t.tag_uid where tag.store_id = ${storeId})
    union all
    select 'a request of ' || r.requested_stamps || ' that is ' || r.status || ' made ' || count(s.id)
    from multi_stamp_request r left join stamp s on s.request_id = r.id where r.store_id = ${storeId}
    group by r.id having count(s.id) <> case r.status when 'confirmed' then r.requested_stamps else 0 end
    union all
    select sum(requested_stamps) || ' multi-stamp stamps in a month' from multi_stamp_request
    where store_id = ${storeId} and status = 'confirmed' group by customer_id having sum(requested_stamps) > ${multiStampCeiling}
    union all
    select 'a voucher is ' || status || ' with a reservation' from voucher
    where store_id = ${storeId} and (reserved_until is not null) <> (status = 'reserved')`);
}

const statusAfter: Readonly<Record<string, string>> = {
  'stamp.pending': 'pending',
  'stamp.approved': 'approved',
  'stamp.rejected': 'rejected',
  'stamp.undone': 'undone',
  'stamp.reversed': 'reversed',
  'voucher.minted': 'active',
  'voucher.restored': 'active',
  'voucher.redeemed': 'redeemed',
  'voucher.voided': 'voided',
  'voucher.expired': 'expired',
};

/** A card's events are numbered without gaps, and the last event of each stamp and voucher agrees with its status. */
async function wrongEvents(
  { shop }: ModelShop,
  cards: readonly z.output<typeof Card>[],
  stamps: readonly z.output<typeof Stamp>[],
  vouchers: readonly z.output<typeof Voucher>[],
): Promise<string[]> {
  const published = await Promise.all(cards.map(async (card) => ({ card, events: await shop.events(card.customer_id) })));
  const last = new Map<string, string>();
  for (const { events } of published)
    for (const { type, data } of events) last.set(data.stamp_id ?? data.voucher_id, statusAfter[type] ?? '');
  const mismatch = (kind: string, id: string, status: string) => {
    const expected = last.get(id);
    // A reservation publishes nothing, nor does a stamp that was inserted as reversed.
    const unpublished = (status === 'reserved' && expected === 'active') || (status === 'reversed' && expected === undefined);
    return expected === status || unpublished ? [] : [`a ${kind} is ${status}, its last event says ${expected}`];
  };
  return [
    ...published.flatMap(({ card, events }) =>
      events.length === card.version && events.every(({ sequence }, index) => sequence === index + 1)
        ? []
        : [`${events.length} events of a card at version ${card.version}`],
    ),
    ...stamps.flatMap(({ id, status }) => mismatch('stamp', id, status)),
    ...vouchers.flatMap(({ id, status }) => mismatch('voucher', id, status)),
  ];
}
