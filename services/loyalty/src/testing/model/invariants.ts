import { sql } from 'slonik';
import { z } from 'zod';
import { expireVouchers } from '../../vouchers/entry-points.ts';
import type { Running } from '../running.ts';
import { wrongHistories } from './histories.ts';
import { publishedStanding } from './orders.ts';
import { goal, type ModelShop, monthlyQuota, multiStampCeiling } from './shop.ts';

const Card = z.object({
  store_id: z.string(),
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
    select c.store_id, c.customer_id, c.version, c.debt, c.order_count,
      count(s.id) filter (where s.status = 'approved' and s.voucher_id is null and not s.paid_debt) as free,
      count(s.id) filter (where s.left_debt) as left_debt,
      count(s.id) filter (where s.paid_debt) as paid_debt
    from card c left join stamp s on s.store_id = c.store_id and s.customer_id = c.customer_id
    where c.store_id = any(${storesOf(model)}) group by c.store_id, c.customer_id`);
  const vouchers = await database.any(sql.type(Voucher)`
    select v.id, v.status, count(s.id) as stamps from voucher v left join stamp s on s.voucher_id = v.id
    where v.store_id = ${storeId} group by v.id`);
  const stamps = await database.any(sql.type(Stamp)`select id, status from stamp where store_id = ${storeId} and customer_id is not null`);
  const approvedThisMonth = await database.anyFirst(sql.type(Count)`
    select count(*) from stamp
    where store_id = ${storeId} and customer_id is not null and status = 'approved' and source not in ('order', 'visit', 'import')
    group by coalesce(at_store_id, store_id)`);
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
    ...approvedThisMonth.flatMap((stamps) =>
      stamps > monthlyQuota ? [`${stamps} stamps of a store in a month, above the quota of ${monthlyQuota}`] : [],
    ),
    ...(await wrongCustomerStates(model, cards)),
    ...(await wrongHistories(running, model, cards)),
    ...(await wrongInLedger(running, model)),
    ...(await wrongVisits(running, model)),
    ...(await usedMoreThanOnce(running, model)),
    ...(await wrongLog(running, model)),
    ...(await wrongEvents(model, cards, stamps, vouchers)),
  ];
}

const storesOf = ({ shops }: ModelShop) =>
  sql.array(
    shops.map(({ storeId }) => storeId),
    'uuid',
  );

async function wrongCustomerStates(
  { shop: home, shops, customers, orders }: ModelShop,
  cards: readonly z.output<typeof Card>[],
): Promise<string[]> {
  const shown = await Promise.all(
    shops.flatMap((shop) =>
      customers.map(async (customerId) => {
        const { body } = await shop.state(customerId);
        const card = cards.find((one) => one.customer_id === customerId && one.store_id === home.storeId);
        const paid = orders.filter(
          (order) => order.reported && order.paid.customer_id === customerId && order.paid.store_id === shop.storeId,
        );
        const spent = paid.reduce((sum, order) => sum + publishedStanding(order).spent, 0);
        const counted = Math.max(0, (card?.free ?? 0) - (card?.debt ?? 0));
        return [
          ...(body.stamp_count === counted ? [] : [`the state has ${body.stamp_count} stamps instead of ${counted}`]),
          ...(body.order_count === paid.length ? [] : [`the state has ${body.order_count} orders instead of ${paid.length}`]),
          ...(body.total_spent_pence === spent ? [] : [`the state has ${body.total_spent_pence} pence spent instead of ${spent}`]),
        ];
      }),
    ),
  );
  return shown.flat();
}

/** A paid order of at least one penny has earned one stamp where orders are rewarded, unless its money went back by a refund, nearly all of it, or a lost dispute. */
async function wrongInLedger({ service: { database } }: Running, { shop, orders, driver }: ModelShop): Promise<string[]> {
  const earned = await database.any(sql.type(Earned)`
    select order_id, count(*) filter (where status = 'approved') as approved, count(*) filter (where status <> 'approved') as others
    from stamp where store_id = ${shop.storeId} and order_id is not null group by order_id`);
  const byOrder = new Map(earned.map((row) => [row.order_id, row]));
  return orders.flatMap((order) => {
    const { paid, reported } = order;
    const { gone } = publishedStanding(order);
    const { approved, others } = byOrder.get(paid.order_id) ?? { approved: 0, others: 0 };
    const due = reported && paid.total_pence > 0 && driver === 'orders';
    const expected = [due && !gone ? 1 : 0, due && gone ? 1 : 0];
    return `${[approved, others]}` === `${expected}`
      ? []
      : [
          `an order (${reported ? 'paid' : 'unpaid'}${gone ? ', its money gone' : ''}) has ${approved} approved stamps and ${others} others`,
        ];
  });
}

/** A visit whose last published event is a completion has earned one stamp where visits are rewarded, and no other visit has one that counts. */
async function wrongVisits({ service: { database } }: Running, { shop, visits, driver }: ModelShop): Promise<string[]> {
  const stamped = await database.anyFirst(sql.type(z.object({ visit_ref: z.string() }))`
    select visit_ref from stamp where store_id = ${shop.storeId} and visit_ref is not null and status = 'approved'`);
  return visits.flatMap(({ ref, published }) => {
    const stamps = stamped.filter((visit) => visit === ref).length;
    return stamps === (driver === 'visits' ? published % 2 : 0)
      ? []
      : [`a visit after its event ${published} has ${stamps} stamps that count`];
  });
}

async function usedMoreThanOnce({ service: { database } }: Running, model: ModelShop): Promise<readonly string[]> {
  const { storeId } = model.shop;
  const stores = storesOf(model);
  return await database.anyFirst(sql.type(Wrong)`
    select 'a code made ' || count(s.id) || ' stamps, used: ' || (c.used_at is not null) as what
    from stamp_code c left join stamp s on s.code_id = c.id where c.store_id = any(${stores})
    group by c.id having count(s.id) <> (c.used_at is not null)::int
    union all
    select 'imported lines and rows of the log differ' where
      (select count(*) from stamp s where s.store_id = ${storeId} and s.grant_key like '%import:%')
      <> (select count(*) from log_entry l where l.store_id = any(${stores}) and l.kind = 'imported')
    union all
    select 'more stamps with a proof than used taps' where
      (select count(*) from stamp s
        where s.store_id = ${storeId} and s.approval_reason = 'nfc_proof')
      > (select count(*) from nfc_tap t join tag on tag.uid = t.tag_uid where tag.store_id = any(${stores}))
    union all
    select 'a request of ' || r.requested_stamps || ' that is ' || r.status || ' made ' || count(s.id)
    from multi_stamp_request r left join stamp s on s.request_id = r.id where r.store_id = any(${stores})
    group by r.id having count(s.id) <> case r.status when 'confirmed' then r.requested_stamps else 0 end
    union all
    select sum(requested_stamps) || ' multi-stamp stamps in a month' from multi_stamp_request
    where store_id = any(${stores}) and status = 'confirmed' group by store_id, customer_id having sum(requested_stamps) > ${multiStampCeiling}
    union all
    select 'a voucher is ' || status || ' with a reservation' from voucher
    where store_id = ${storeId} and (reserved_until is not null) <> (status = 'reserved')`);
}

/** The log has one row for each stamp that was granted, reviewed or undone, each redemption at the counter and each confirmation. */
async function wrongLog({ service: { database } }: Running, model: ModelShop): Promise<readonly string[]> {
  const { handedOver } = model;
  const stores = storesOf(model);
  const redeemed = await database.any(sql.type(z.object({ voucher_id: z.string(), count: z.number() }))`
    select voucher_id, count(*) from log_entry where store_id = any(${stores}) and kind = 'redeemed' group by voucher_id`);
  const logged = new Map(redeemed.map(({ voucher_id, count }) => [voucher_id, count]));
  const ofStamps = await database.anyFirst(sql.type(Wrong)`
    select 'a stamp by ' || s.source || ' that is ' || s.status || ' is logged as ' || coalesce(string_agg(l.kind, ', ' order by l.id), 'nothing') as what
    from stamp s left join log_entry l on l.stamp_id = s.id where s.store_id = any(${stores})
    group by s.id
    having count(*) filter (where l.kind = 'granted') <> (s.source = 'hub')::int
      or count(*) filter (where l.kind = 'undone') <> (s.status = 'undone' and s.source in ('hub', 'import'))::int
      or count(*) filter (where l.kind = 'rejected') <> (s.status = 'rejected')::int
      or count(*) filter (where l.kind = 'approved') > 1
      or (s.by_id is null) <> (count(l.id) = 0 and s.request_id is null and s.source <> 'import')
    union all
    select count(*) || ' confirmed requests and ' || (select count(*) from log_entry where store_id = any(${stores}) and kind = 'confirmed') || ' rows'
    from multi_stamp_request where store_id = any(${stores}) and status = 'confirmed'
    having count(*) <> (select count(*) from log_entry where store_id = any(${stores}) and kind = 'confirmed')`);
  return [
    ...ofStamps,
    ...[...new Set([...logged.keys(), ...handedOver.keys()])].flatMap((id) =>
      logged.get(id) === handedOver.get(id)
        ? []
        : [`a voucher was redeemed ${handedOver.get(id) ?? 0} times and logged ${logged.get(id) ?? 0} times`],
    ),
  ];
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

/** The numbers of a card's events grow up to its version, and the last event of each stamp and voucher agrees with its status. */
async function wrongEvents(
  { shops }: ModelShop,
  cards: readonly z.output<typeof Card>[],
  stamps: readonly z.output<typeof Stamp>[],
  vouchers: readonly z.output<typeof Voucher>[],
): Promise<string[]> {
  const published = await Promise.all(
    cards.map(async (card) => ({
      card,
      events: (await shops.find(({ storeId }) => storeId === card.store_id)?.events(card.customer_id)) ?? [],
    })),
  );
  const last = new Map<string, string>();
  // A tap's event states that it was made, not the state of its stamp.
  for (const { events } of published)
    for (const { type, data } of events.filter((event) => event.type !== 'tap.presented'))
      last.set(data.stamp_id ?? data.voucher_id, statusAfter[type] ?? '');
  const mismatch = (kind: string, id: string, status: string) => {
    const expected = last.get(id);
    // A reservation publishes nothing, nor does a stamp that was inserted as reversed.
    const unpublished = (status === 'reserved' && expected === 'active') || (status === 'reversed' && expected === undefined);
    return expected === status || unpublished ? [] : [`a ${kind} is ${status}, its last event says ${expected}`];
  };
  return [
    ...published.flatMap(({ card, events }) =>
      [...events, { sequence: card.version + 1 }].every(({ sequence }, index) => sequence > (events[index - 1]?.sequence ?? 0))
        ? []
        : [`a card at version ${card.version} has events numbered ${events.map(({ sequence }) => sequence)}`],
    ),
    ...stamps.flatMap(({ id, status }) => mismatch('stamp', id, status)),
    ...vouchers.flatMap(({ id, status }) => mismatch('voucher', id, status)),
  ];
}
