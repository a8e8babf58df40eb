import { currentTraceparent, type Queries } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Hold, PlacedPart, Placement } from '../rules/placement.ts';
import { firstCallsInserted, type ProviderCall } from './provider-calls.ts';

/**
 * Writes an order in one statement and returns its number: takes its holds, draws the number, and inserts the orders, lines, holds,
 * the first log entry and the calls that the provider is to get next; or changes nothing. It ends with the database error CR001, whose message is the problem's code, when a hold
 * cannot be taken: SLOT_CLOSED, SLOT_JUST_FILLED, OUT_OF_STOCK, PROMO_LIMIT_REACHED.
 *
 * Lock order: slots by id, menu items by id, the promo code, the store's row. A fragment that must run after another one reads its
 * result, since Postgres is free to reorder them otherwise.
 */
export const insertPlacedOrder = (
  queries: Pick<Queries, 'one'>,
  placement: Placement,
  holds: readonly Hold[],
  calls: readonly ProviderCall[],
): Promise<{ readonly order_number: string }> => {
  const { storeId, main } = placement;
  const now = placement.placedAt.toISOString();
  return queries.one(sql.prepared('place-order', z.object({ order_number: z.string() }))`
    with held as (
      select * from jsonb_to_recordset(${sql.jsonb(holds as never)}) as h(order_id uuid, kind text, ref text, quantity integer)
    ),
    ${slotsTaken(storeId, now)},
    ${stockTaken(storeId)},
    ${promoTaken(placement)},
    numbered as (
      update store set last_order_number = last_order_number + 1
      where id = ${storeId} and (select yes from stock_suffices) and (select yes from promo_allowed)
      returning code || '-' || last_order_number as order_number
    ),
    placed as (${ordersInserted(placement)}),
    lines_inserted as (${linesInserted([main, ...placement.legs])}),
    holds_inserted as (
      insert into hold (order_id, kind, ref, quantity) select h.order_id, h.kind, h.ref, h.quantity from placed join held h on h.order_id = placed.id
    ),
    calls_begun as (${firstCallsInserted(calls, sql.fragment`select from placed`)}),
    logged as (
      insert into log_entry (store_id, order_id, at, kind, title, amount_pence)
      select ${storeId}, id, ${now}, 'placed', 'The customer placed the order', ${main.price.totalPence} from placed where parent_order_id is null
    )
    select order_number from placed where parent_order_id is null`);
};

/** Takes the places in slots, or refuses. */
const slotsTaken = (storeId: string, now: string): FragmentSqlToken => sql.fragment`
  places as (
    select ref::uuid as id, sum(quantity)::integer as quantity from held where kind = 'slot' group by ref
  ),
  slots_locked as (
    select t.id from slot t join places w on w.id = t.id where t.store_id = ${storeId} order by t.id for update of t
  ),
  slots_taken as (
    update slot t set used = t.used + w.quantity
    from places w join slots_locked k on k.id = w.id
    where t.id = w.id and t.open and t.ends_at > ${now} and (t.capacity is null or t.used + w.quantity <= t.capacity)
    returning t.id
  ),
  places_suffice as (
    select case
      when (select count(*) from slots_taken) = (select count(*) from places) then true
      when exists (select 1 from slot t join places w on w.id = t.id where not t.open or t.ends_at <= ${now}) then refuse('SLOT_CLOSED')
      else refuse('SLOT_JUST_FILLED') end as yes
  )`;

/** Takes units of the items whose stock is counted, after the slots, or refuses. */
const stockTaken = (storeId: string): FragmentSqlToken => sql.fragment`
  goods as (
    select ref as id, sum(quantity)::integer as quantity from held where kind = 'stock' and (select yes from places_suffice) group by ref
  ),
  items_locked as (
    select m.id from menu_item m join goods w on w.id = m.id where m.store_id = ${storeId} order by m.id for update of m
  ),
  items_taken as (
    update menu_item m set taken = m.taken + w.quantity
    from goods w join items_locked k on k.id = w.id
    where m.store_id = ${storeId} and m.id = w.id and (m.stock is null or m.taken + w.quantity <= m.stock)
    returning m.id
  ),
  stock_suffices as (
    select case when (select count(*) from items_taken) = (select count(*) from goods) then true else refuse('OUT_OF_STOCK') end as yes
  )`;

/** Takes one use of the promo code, after the stock, or refuses. The customer's own limit is checked under the code's row lock. */
const promoTaken = ({ promo, customerId }: Placement): FragmentSqlToken => sql.fragment`
  promo_taken as (
    update promo c set uses = c.uses + 1
    where c.id = ${promo?.id ?? null} and (select yes from stock_suffices) and c.active and (c.max_uses is null or c.uses < c.max_uses)
    returning c.id
  ),
  promo_allowed as (
    select case
      when ${promo?.id ?? null}::uuid is null then true
      when not exists (select 1 from promo_taken) then refuse('PROMO_LIMIT_REACHED')
      when promo_is_free_for(${promo?.id ?? null}, ${customerId}) then true
      else refuse('PROMO_LIMIT_REACHED') end as yes
  )`;

/** Inserts the order and its legs. The second leg of order S1-1042 has the number S1-1042-2. */
const ordersInserted = (p: Placement): FragmentSqlToken => sql.fragment`
  insert into orders (id, store_id, customer_id, parent_order_id, order_number, order_type, collection_mode, slot_id, requested_collection_at,
    fulfilment_mode, table_number, prep_minutes, idempotency_key, request_fingerprint, payment_status, currency, subtotal_pence,
    promo_discount_pence, voucher_discount_pence, tip_pence, total_pence, application_fee_pence, connected_account_id, on_behalf_of,
    voucher_id, promo_code, promo_label, pay_until, traceparent, device_hash)
  select r.id, ${p.storeId}, ${p.customerId}, r.parent_order_id, n.order_number || coalesce('-' || r.leg, ''), r.order_type, r.collection_mode,
    r.slot_id, r.collect_at, r.fulfilment_mode, r.table_number, r.prep_minutes, r.key, decode(r.fingerprint, 'hex'), 'pending_payment',
    ${p.currency}, r.subtotal_pence, r.promo_discount_pence, r.voucher_discount_pence, r.tip_pence, r.total_pence, r.fee_pence,
    ${p.connectedAccountId}, ${p.onBehalfOf}, r.voucher_id, r.promo_code, r.promo_label, r.pay_until, r.traceparent,
    decode(r.device_hash, 'hex')
  from numbered n, jsonb_to_recordset(${sql.jsonb(orderRows(p) as never)}) as r(id uuid, parent_order_id uuid, leg integer, order_type text,
    collection_mode text, slot_id uuid, collect_at timestamptz, fulfilment_mode text, table_number text, prep_minutes integer, key uuid,
    fingerprint text, subtotal_pence integer, promo_discount_pence integer, voucher_discount_pence integer, tip_pence integer,
    total_pence integer, fee_pence integer, voucher_id uuid, promo_code text, promo_label text, pay_until timestamptz, traceparent text,
    device_hash text)
  returning id, order_number, parent_order_id`;

const orderRows = (p: Placement) =>
  [p.main, ...p.legs].map((part, n) => ({
    id: part.id,
    order_type: part.orderType,
    collection_mode: part.collectionMode,
    slot_id: part.slotId,
    collect_at: part.collectAt,
    prep_minutes: part.prepMinutes,
    subtotal_pence: part.price.subtotalPence,
    promo_discount_pence: part.price.promoDiscountPence,
    voucher_discount_pence: part.price.voucherDiscountPence,
    tip_pence: part.price.tipPence,
    total_pence: part.price.totalPence,
    traceparent: currentTraceparent() ?? null,
    ...(n === 0
      ? {
          fulfilment_mode: p.mode,
          table_number: p.tableNumber,
          key: p.key,
          fingerprint: p.fingerprint,
          fee_pence: p.main.price.feePence,
          voucher_id: p.voucherId,
          device_hash: p.deviceHash,
          promo_code: p.promo?.code ?? null,
          promo_label: p.promo?.label ?? null,
          pay_until: p.payUntil.toISOString(),
        }
      : { parent_order_id: p.main.id, leg: n, fulfilment_mode: 'counter', fee_pence: 0 }),
  }));

const linesInserted = (parts: readonly PlacedPart[]): FragmentSqlToken => sql.fragment`
  insert into order_line (order_id, position, menu_item_id, name, quantity, unit_price_pence, vat_rate_bps)
  select l.order_id, l.position, l.menu_item_id, l.name, l.quantity, l.unit_price_pence, l.vat_rate_bps
  from placed join jsonb_to_recordset(${sql.jsonb(lineRows(parts) as never)})
    as l(order_id uuid, position integer, menu_item_id text, name text, quantity integer, unit_price_pence integer, vat_rate_bps integer) on l.order_id = placed.id`;

const lineRows = (parts: readonly PlacedPart[]) =>
  parts.flatMap(({ id, lines }) => lines.map((line, n) => ({ order_id: id, position: n + 1, ...line })));
