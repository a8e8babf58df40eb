import { sql } from 'slonik';
import { z } from 'zod';
import { expireVouchers } from '../../jobs/expire-vouchers.ts';
import type { Running } from '../running.ts';
import { goal, type ModelShop, monthlyQuota, multiStampCeiling } from './shop.ts';

const Card = z.object({
  customer_id: z.string(),
  version: z.number(),
  debt: z.number(),
  free: z.number(),
  owed: z.number(),
  paid_debt: z.number(),
  order_count: z.number(),
});
const Voucher = z.object({ id: z.string(), status: z.string(), stamps: z.number() });
const Stamp = z.object({ id: z.string(), status: z.string() });
const Earned = z.object({ order_id: z.string(), approved: z.number(), others: z.number() });
const Count = z.object({ count: z.number() });
const Wrong = z.object({ what: z.string() });

/** Everything that is not as it should be while nobody does anything, in words. The service itself may be at what is due by now, and is let finish. */
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
      count(s.id) filter (where s.left_debt) as owed,
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
    ...cards.flatMap(({ customer_id, debt, free, owed, paid_debt }) => [
      ...(Math.max(0, free - debt) < goal ? [] : [`a card of ${customer_id} holds ${free} free stamps and mints nothing`]),
      ...(debt > 0 && free > 0 ? [`${debt} are owed beside ${free} free stamps`] : []),
      ...(owed === debt + paid_debt ? [] : [`${owed} owed, ${debt} to pay and ${paid_debt} paid`]),
    ]),
    ...vouchers.flatMap(({ id, status, stamps: count }) => [
      ...(count === (status === 'voided' ? 0 : goal) ? [] : [`${count} stamps stand behind a voucher that is ${status}`]),
      ...((model.handedOver.get(id) ?? 0) <= (status === 'redeemed' ? 1 : 0) ? [] : [`handed over, the voucher is ${status}`]),
    ]),
    ...(approvedThisMonth > monthlyQuota ? [`${approvedThisMonth} stamps in a month of ${monthlyQuota}`] : []),
    ...(await wrongAsShown(model, cards)),
    ...(await wrongInLedger(running, model)),
    ...(await usedTwice(running, storeId)),
    ...(await wrongTellings(model, cards, stamps, vouchers)),
  ];
}

/** What the store is shown of a customer is what its tables and the orders' own service come to. */
async function wrongAsShown({ shop, customers, orders }: ModelShop, cards: readonly z.output<typeof Card>[]): Promise<string[]> {
  const shown = await Promise.all(
    customers.map(async (customerId) => {
      const { body } = await shop.state(customerId);
      const card = cards.find(({ customer_id }) => customer_id === customerId);
      const paid = orders.filter((order) => order.heard && order.paid.customer_id === customerId);
      const spent = paid.reduce((sum, { paid: { total_pence }, told }) => sum + total_pence - told.pence, 0);
      const counted = Math.max(0, (card?.free ?? 0) - (card?.debt ?? 0));
      return [
        ...(body.stamp_count === counted ? [] : [`shown ${body.stamp_count} stamps of ${counted}`]),
        ...(body.order_count === paid.length ? [] : [`shown ${body.order_count} orders of ${paid.length}`]),
        ...(body.total_spent_pence === spent ? [] : [`shown ${body.total_spent_pence} pence spent of ${spent}`]),
      ];
    }),
  );
  return shown.flat();
}

/** A paid order of at least a penny has earned its stamp, unless all of it is refunded. */
async function wrongInLedger({ service: { database } }: Running, { shop, orders }: ModelShop): Promise<string[]> {
  const earned = await database.any(sql.type(Earned)`
    select order_id, count(*) filter (where status = 'approved') as approved, count(*) filter (where status <> 'approved') as others
    from stamp where store_id = ${shop.storeId} and order_id is not null group by order_id`);
  const byOrder = new Map(earned.map((row) => [row.order_id, row]));
  return orders.flatMap(({ paid, heard, told: { full } }) => {
    const { approved, others } = byOrder.get(paid.order_id) ?? { approved: 0, others: 0 };
    const due = heard && paid.total_pence > 0;
    const expected = [due && !full ? 1 : 0, due && full ? 1 : 0];
    return `${[approved, others]}` === `${expected}`
      ? []
      : [`an order (${heard ? 'paid' : 'unpaid'}${full ? ', refunded' : ''}) has ${approved} stamps and ${others} taken back`];
  });
}

/** No code, tap, receipt or reservation serves two. */
async function usedTwice({ service: { database } }: Running, storeId: string): Promise<readonly string[]> {
  return await database.anyFirst(sql.type(Wrong)`
    select 'a code gave ' || count(s.id) || ' stamps, used: ' || (c.used_at is not null) as what
    from stamp_code c left join stamp s on s.code_id = c.id where c.store_id = ${storeId}
    group by c.id having count(s.id) <> (c.used_at is not null)::int
    union all
    select 'more stamps by proof than taps' where
      (select count(*) from stamp s
        where s.store_id = ${storeId} and s.approval_reason = 'nfc_proof')
      > (select count(*) from nfc_tap t join tag on tag.uid = t.tag_uid where tag.store_id = ${storeId})
    union all
    select 'a request of ' || r.requested_stamps || ' that is ' || r.status || ' gave ' || count(s.id)
    from multi_stamp_request r left join stamp s on s.request_id = r.id where r.store_id = ${storeId}
    group by r.id having count(s.id) <> case r.status when 'confirmed' then r.requested_stamps else 0 end
    union all
    select sum(requested_stamps) || ' stamps at once in a month' from multi_stamp_request
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

/** A card's tellings are numbered without gaps, and the last of each stamp and voucher says how it stands. */
async function wrongTellings(
  { shop }: ModelShop,
  cards: readonly z.output<typeof Card>[],
  stamps: readonly z.output<typeof Stamp>[],
  vouchers: readonly z.output<typeof Voucher>[],
): Promise<string[]> {
  const told = await Promise.all(cards.map(async (card) => ({ card, publications: await shop.told(card.customer_id) })));
  const last = new Map<string, string>();
  for (const { publications } of told)
    for (const { type, data } of publications) last.set(data.stamp_id ?? data.voucher_id, statusAfter[type] ?? '');
  const notSo = (kind: string, id: string, status: string) => {
    const said = last.get(id);
    // A reservation is nobody's news, and a stamp entered as taken back never counted.
    const silent = (status === 'reserved' && said === 'active') || (status === 'reversed' && said === undefined);
    return said === status || silent ? [] : [`a ${kind} is ${status}, told to be ${said}`];
  };
  return [
    ...told.flatMap(({ card, publications }) =>
      publications.length === card.version && publications.every(({ sequence }, index) => sequence === index + 1)
        ? []
        : [`${publications.length} tellings of a card at version ${card.version}`],
    ),
    ...stamps.flatMap(({ id, status }) => notSo('stamp', id, status)),
    ...vouchers.flatMap(({ id, status }) => notSo('voucher', id, status)),
  ];
}
