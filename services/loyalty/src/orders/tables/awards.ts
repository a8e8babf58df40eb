import { insertEventsSql, type OutboxEntry, type Publisher, type Queries } from '@corner/chassis';
import { type awardOrder, type RpcOutput, voucherRedeemed } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CardKey } from '../../card/tables/programmes.ts';
import { vouchersMintedSql } from '../../card/tables/vouchers.ts';
import type { PaidOrder } from './award-data.ts';

/**
 * The awards of one card's orders, of one or several stores of its programme, decided from the card as it was read, and their events.
 * `version`: the card's when it was read; null for a card that did not exist. `used`: earlier stamps that the orders' stamps use up.
 * `paidDebt`: how many stamps, earlier and new ones, pay the card's debt.
 */
export interface AwardsOfCard extends CardKey {
  readonly version: number | null;
  readonly orders: readonly AwardedOrder[];
  readonly used: readonly (StampUse & { readonly id: string })[];
  readonly vouchers: readonly VoucherToMint[];
  readonly paidDebt: number;
  readonly events: readonly OutboxEntry[];
}

/**
 * `seen` is false when the customer has done nothing yet at the order's store, and that is not the programme's home. `moneyReturned`: all its
 * money went back before its payment was known, so it uses no voucher until that is undone. `takenBack`: true then, and if a refund left
 * little of it; its stamps do not count.
 */
export interface AwardedOrder {
  readonly order: PaidOrder;
  readonly seen: boolean;
  readonly moneyReturned: boolean;
  readonly takenBack: boolean;
  readonly award: RpcOutput<typeof awardOrder>;
  readonly stamps: readonly (StampUse & { readonly id: string })[];
}

export interface StampUse {
  readonly voucherId: string | null;
  readonly paidDebt: boolean;
}

export interface VoucherToMint {
  readonly id: string;
  readonly code: string;
  readonly completingStampId: string;
}

const Key = z.object({ programmeId: z.string(), customerId: z.string() });

/**
 * Writes the awards of cards that have not changed since they were read, and returns those cards. `published` leaves out the event of a
 * voucher that was not redeemed, and that of a customer who was seen at a store meanwhile.
 *
 * Race: an award is decided without a lock. Every change of a card's stamps, debt or orders raises the card's version under its row lock,
 * so `changed` takes the lock and compares the version: a card that was changed or created meanwhile is locked and otherwise left as it is.
 * A voucher can be reserved or freed without that lock, so `redeemed` and `freed` decide by its row as it is now.
 *
 * Locks: the customers' rows at stores that are not their programme's home, the cards, each in the order of their keys, then vouchers.
 */
export async function writeAwards(
  queries: Pick<Queries, 'any'> & Publisher,
  cards: readonly AwardsOfCard[],
  now: Date,
): Promise<readonly CardKey[]> {
  const at = now.toISOString();
  const events = cards.flatMap((card) => card.events);
  return await queries.any(sql.prepared('write-awards', Key)`
    with decided as materialized (
      select * from jsonb_to_recordset(${sql.jsonb(cards.map(cardRow))})
        as d (programme_id uuid, customer_id uuid, read_version bigint, numbers int, paid_debt int)
    ), paid as materialized (
      select * from jsonb_to_recordset(${sql.jsonb(cards.flatMap(orderRows))})
        as o (programme_id uuid, store_id uuid, customer_id uuid, order_id uuid, paid_at timestamptz, paid_pence int, award jsonb, voucher_id uuid, money_returned boolean)
    ), elsewhere as materialized (
      select c.version from (select distinct store_id, customer_id from paid where store_id <> programme_id order by store_id, customer_id) p
      cross join lateral (select version from card where store_id = p.store_id and customer_id = p.customer_id for update) c
    ), changed as (
      insert into card as c (store_id, customer_id, version, debt, order_count, created_at, last_visit_at, customer_since)
      select programme_id, customer_id, numbers, paid_debt, count(*) filter (where store_id = programme_id), ${at},
        max(paid_at) filter (where store_id = programme_id), min(paid_at) filter (where store_id = programme_id)
      from (select count(*) from elsewhere) first, decided join paid using (programme_id, customer_id)
      group by programme_id, customer_id, numbers, paid_debt order by programme_id, customer_id
      on conflict (store_id, customer_id) do update
      set version = c.version + excluded.version, debt = c.debt - excluded.debt, order_count = c.order_count + excluded.order_count,
        last_visit_at = greatest(c.last_visit_at, excluded.last_visit_at), customer_since = least(c.customer_since, excluded.customer_since)
      where c.version = (select d.read_version from decided d where d.programme_id = c.store_id and d.customer_id = c.customer_id)
      returning c.store_id as programme_id, c.customer_id
    ), awarded as materialized (
      select * from paid join changed using (programme_id, customer_id)
    ), visited as (
      insert into card as c (store_id, customer_id, version, order_count, created_at, last_visit_at, customer_since)
      select store_id, customer_id, 1, count(*), ${at}, max(paid_at), min(paid_at) from awarded where store_id <> programme_id
      group by store_id, customer_id order by store_id, customer_id
      on conflict (store_id, customer_id) do update
      set order_count = c.order_count + excluded.order_count, last_visit_at = greatest(c.last_visit_at, excluded.last_visit_at),
        customer_since = least(c.customer_since, excluded.customer_since)
      returning c.store_id, c.customer_id, old.version is null as created
    ), entered as (
      insert into order_ledger (order_id, store_id, customer_id, programme_id, paid, paid_pence, awarded, award)
      select order_id, store_id, customer_id, nullif(programme_id, store_id), true, paid_pence, (award ->> 'awarded')::boolean, award from awarded
      on conflict (order_id) do update
      set paid = true, programme_id = excluded.programme_id, paid_pence = excluded.paid_pence, awarded = excluded.awarded, award = excluded.award
    ), redeemed as (
      update voucher v
      set status = 'redeemed', redeemed_by_order = a.order_id, redeemed_at = ${at}, reserved_until = null
      from awarded a
      where v.id = any(array(select voucher_id from awarded where voucher_id is not null)) and v.id = a.voucher_id and not a.money_returned
        and v.store_id = a.programme_id and v.customer_id = a.customer_id
        and (v.status = 'reserved' and v.reserved_by_order = a.order_id or v.status in ('active', 'expired'))
      returning v.id, a.order_id
    ), freed as (
      update voucher v
      set status = case when v.status = 'reserved' then 'active' else v.status end, reserved_by_order = null, reserved_until = null,
        restored_from_order = a.order_id
      from awarded a
      where v.id = any(array(select voucher_id from awarded where voucher_id is not null)) and v.id = a.voucher_id and a.money_returned
        and v.store_id = a.programme_id and v.customer_id = a.customer_id
        and (v.status = 'reserved' and v.reserved_by_order = a.order_id or v.status in ('active', 'expired'))
    ), minted as (${vouchersMintedSql(
      sql.fragment`(
        select programme_id as store_id, customer_id, id, code, completing_stamp_id from jsonb_to_recordset(${sql.jsonb(cards.flatMap(voucherRows))})
          as m (programme_id uuid, customer_id uuid, id uuid, code text, completing_stamp_id uuid)
        join changed using (programme_id, customer_id))`,
      at,
    )}), earlier as materialized (
      select * from jsonb_to_recordset(${sql.jsonb(cards.flatMap(usedRows))})
        as u (programme_id uuid, customer_id uuid, id uuid, voucher_id uuid, paid_debt boolean)
      join changed using (programme_id, customer_id)
    ), used as (
      update stamp s set voucher_id = e.voucher_id, paid_debt = e.paid_debt
      from earlier e where s.id = any(array(select id from earlier)) and s.id = e.id and s.store_id = e.programme_id
    ), stamped as (
      insert into stamp (id, store_id, customer_id, status, source, order_id, ordinal, voucher_id, paid_debt, created_at, approved_at, ended_at, at_store_id)
      select n.id, programme_id, customer_id, case when n.taken_back then 'reversed' else 'approved' end, 'order', n.order_id, n.ordinal,
        n.voucher_id, n.paid_debt, ${at}, ${at}, case when n.taken_back then ${at}::timestamptz end, nullif(n.store_id, programme_id)
      from jsonb_to_recordset(${sql.jsonb(cards.flatMap(stampRows))})
        as n (programme_id uuid, store_id uuid, customer_id uuid, order_id uuid, ordinal int, id uuid, taken_back boolean, voucher_id uuid, paid_debt boolean)
      join changed using (programme_id, customer_id)
    ), published as (${insertEventsSql(
      queries,
      events,
      sql.fragment`join (
        select programme_id as store_id, customer_id from changed union all select store_id, customer_id from visited where created
      ) published using (store_id, customer_id)
      where type <> ${voucherRedeemed.type}
        or (data ->> 'voucher_id', data ->> 'order_id') in (select id::text, order_id::text from redeemed)`,
    )})
    select programme_id as "programmeId", customer_id as "customerId" from changed`);
}

const keyOf = ({ programmeId, customerId }: CardKey) => ({ programme_id: programmeId, customer_id: customerId });

const useOf = ({ id, voucherId, paidDebt }: StampUse & { readonly id: string }) => ({ id, voucher_id: voucherId, paid_debt: paidDebt });

/** An award that publishes nothing takes a number too, so that the card's version changes. */
const cardRow = (card: AwardsOfCard) => ({
  ...keyOf(card),
  read_version: card.version,
  numbers: Math.max(1, card.events.length),
  paid_debt: card.paidDebt,
});

const orderRows = (card: AwardsOfCard) =>
  card.orders.map(({ order, award, moneyReturned }) => ({
    ...keyOf(card),
    store_id: order.store_id,
    order_id: order.order_id,
    paid_at: order.paid_at,
    paid_pence: order.total_pence,
    award,
    voucher_id: order.voucher_id,
    money_returned: moneyReturned,
  }));

const voucherRows = (card: AwardsOfCard) =>
  card.vouchers.map(({ id, code, completingStampId }) => ({ ...keyOf(card), id, code, completing_stamp_id: completingStampId }));

const usedRows = (card: AwardsOfCard) => card.used.map((stamp) => ({ ...keyOf(card), ...useOf(stamp) }));

const stampRows = (card: AwardsOfCard) =>
  card.orders.flatMap(({ order, takenBack, stamps }) =>
    stamps.map((stamp, index) => ({
      ...keyOf(card),
      ...useOf(stamp),
      store_id: order.store_id,
      order_id: order.order_id,
      // The stamp of a tap has the first place.
      ordinal: index + (order.stamp_id === undefined ? 1 : 2),
      taken_back: takenBack,
    })),
  );
