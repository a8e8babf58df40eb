import { currentTraceparent, type Queries } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import type { ProviderCall } from '../../provider/tables.ts';
import type { Hold, PartToPlace, Placement } from '../rules/placement.ts';
import { translated } from './place-refusals.ts';
import { PlacedOrder, placedOrderColumns } from './placed-orders.ts';

/**
 * Writes an unpaid order in one statement and returns it: takes its holds, draws the number, and inserts the orders, lines, holds, the
 * first log entry and the next provider calls; or changes nothing. Throws {@link KeyIsUsed}, {@link StoreSwitched}, {@link HoldRefused},
 * {@link MustReplace} and {@link TooManyOrders}: the database function `refuse` raises an error with the code. Lock order: slots by id,
 * quarters of the kitchen by time, menu items by id, the promo code, then the store's row, whose next number every order of the store waits for. A clause that must run
 * after another one reads its result, since Postgres is free to reorder them otherwise. Each slot and each item is looked up by its id
 * alone: with the store as a condition of the same level, the planner may read all slots of the store to find one. Functions that see all
 * that is committed by then check the limits under a lock: the customer's own limit of a promo code under the code's, the number of open
 * orders under the store's, and the total held by unproven customers under each held row's. Nothing is counted while all orders together
 * take less than that share. Uncounted items are not read: the count of the store's switches, under the lock of its row, shows that none
 * was switched since the check. The second leg of order S1-1042 has the number S1-1042-2.
 */
export async function insertPlacedOrder(
  queries: Pick<Queries, 'one'>,
  placement: Placement,
  holds: readonly Hold[],
  calls: readonly ProviderCall[],
): Promise<PlacedOrder> {
  const { storeId, customerId, promo, main, isUnproven, limits, paced } = placement;
  const { amount, percent } = limits.unproven;
  const [device, address] = [binary(placement.deviceHash), binary(placement.addressHash)];
  const isFree = main.price.totalPence === 0;
  const promoId = promo?.id ?? null;
  // Limits apply to customers, who might hold stock that others want, not to staff and partners.
  const most = sql.array(placement.placedBy ? [unlimited, unlimited, unlimited] : [...(isFree ? limits.free : limits.unpaid)], 'int4');
  const now = placement.placedAt.toISOString();
  const orders = ordersOf(placement);
  const orderColumns = columnsOf(orders[0]);
  return await translated(() =>
    queries.one(sql.prepared('place-order', PlacedOrder)`
      with held as (
        select * from jsonb_to_recordset(${sql.jsonb(holds)}) as h(order_id uuid, kind text, ref text, quantity integer)
      ),
      places as (
        select ref::uuid as id, sum(quantity)::integer as quantity from held where kind = 'slot' group by ref
      ),
      slots_locked as materialized (
        select t.id from (select id from places order by id) w
        cross join lateral (select id from slot where id = w.id and (store_id = ${storeId}) is true limit 1 for update) t
      ),
      slots_taken as (
        update slot t set used = t.used + w.quantity
        from places w join slots_locked k on k.id = w.id
        where t.id = w.id and t.open and t.ends_at > ${now} and (t.capacity is null or t.used + w.quantity <= t.capacity)
          and (not ${isUnproven} or t.capacity is null or t.used + w.quantity <= greatest(${amount}::bigint, t.capacity::bigint * ${percent} / 100)
            or unproven_may_hold(${storeId}, 'slot', t.id::text, w.quantity, t.capacity - t.used - w.quantity, ${amount}, ${percent}))
        returning t.id
      ),
      places_suffice as (
        select case
          when (select count(*) from slots_taken) = (select count(*) from places) then true
          when exists (select 1 from slot t join places w on w.id = t.id where not t.open or t.ends_at <= ${now}) then refuse('SLOT_CLOSED')
          else refuse('SLOT_JUST_FILLED') end as yes
      ),
      paced as materialized (
        select p.* from take_pace(${storeId}, ${paced?.usual ?? 0}, case when (select yes from places_suffice) then ${sql.jsonb(paced?.wanted ?? [])} end, ${now}, ${placement.channel === 'counter'}) p
        where ${paced !== null}
      ),
      goods as (
        select ref as id, sum(quantity)::integer as quantity from held
        where kind = 'stock' and (select yes from places_suffice) and (select count(*) from paced) >= 0 group by ref
      ),
      items_locked as (
        select t.id from (select id from goods order by id) w
        cross join lateral (select id from menu_item where store_id = ${storeId} and id = w.id limit 1 for update) t
      ),
      items_taken as (
        update menu_item m set taken = m.taken + w.quantity
        from goods w
        where m.store_id = ${storeId} and m.id = any(array(select id from items_locked)) and m.id = w.id and (m.stock is null or m.taken + w.quantity <= m.stock)
          and (not ${isUnproven} or m.stock is null or m.taken + w.quantity <= greatest(${amount}::bigint, m.stock::bigint * ${percent} / 100)
            or unproven_may_hold(${storeId}, 'stock', m.id, w.quantity, m.stock - m.taken - w.quantity, ${amount}, ${percent}))
        returning m.id
      ),
      stock_suffices as (
        select case
          when (select count(*) from items_taken) = (select count(*) from goods) then true
          else refuse('OUT_OF_STOCK', (select min(id) from goods where id not in (select id from items_taken))) end as yes
      ),
      promo_taken as (
        update promo c set uses = c.uses + 1
        where c.id = ${promoId} and (select yes from stock_suffices) and coalesce(c.active, false) and (c.max_uses is null or c.uses < c.max_uses)
          and (not ${isUnproven} or c.max_uses is null or c.uses < greatest(${amount}::bigint, c.max_uses::bigint * ${percent} / 100)
            or unproven_may_hold(${storeId}, 'promo', c.id::text, 1, c.max_uses - c.uses - 1, ${amount}, ${percent}))
        returning c.id
      ),
      promo_allowed as (
        select case
          when ${promoId}::uuid is null then true
          when not exists (select 1 from promo_taken) then refuse('PROMO_LIMIT_REACHED')
          when promo_is_free_for(${promoId}, ${customerId})
            and not (${promo?.first_order_only ?? false} and device_used_first_order_code(${storeId}, ${device}, ${customerId})) then true
          else refuse('PROMO_LIMIT_REACHED') end as yes
      ),
      numbered as (
        update store
        set last_order_number = last_order_number + case
          when switches <> ${placement.switches} then refuse('STORE_SWITCHED')::integer
          when may_open_order(${storeId}, ${customerId}, ${device}, ${address}, ${isFree && !placement.voucherId}, ${most}, ${now}) then 1 end
        where id = ${storeId} and (select yes from stock_suffices) and (select yes from promo_allowed)
        returning code || '-' || last_order_number as number
      ),
      placed as (
        insert into orders (order_number, ${orderColumns})
        select numbered.number || coalesce(given.order_number, ''), ${valuesOf(orders[0])}
        from numbered, jsonb_populate_recordset(null::orders, ${sql.jsonb(orders)}) given
        returning *
      ),
      lines_inserted as (
        insert into order_line (order_id, position, menu_item_id, name, quantity, unit_price_pence, vat_rate_bps, vat_parts, choices, note)
        select l.order_id, l.position, l.menu_item_id, l.name, l.quantity, l.unit_price_pence, l.vat_rate_bps, l.vat_parts, l.choices, l.note
        from placed join jsonb_populate_recordset(null::order_line, ${sql.jsonb(linesOf(placement))}) l on l.order_id = placed.id
      ),
      holds_inserted as (
        insert into hold (order_id, kind, ref, quantity, state, unproven_store_id)
        select h.order_id, h.kind, h.ref, h.quantity, 'held', case when ${isUnproven} then ${storeId}::uuid end
        from placed join (table held union all select order_id, 'pace', ref, quantity from paced) h on h.order_id = placed.id
      ),
      calls_begun as (
        insert into provider_call (purpose, reference, attempt, idempotency_key, state, created_at)
        select c.purpose, c.reference, c.attempt, c.idempotency_key, c.state, c.created_at
        from jsonb_populate_recordset(null::provider_call, ${sql.jsonb(calls)}) c
        where exists (select from placed)
        on conflict do nothing
      ),
      logged as (
        insert into log_entry (store_id, order_id, at, kind, title, detail, actor, actor_id, amount_pence)
        select store_id, id, ${now}, 'placed', ${titleOf(placement)}, ${placement.offline?.inWords ?? null},
          ${placement.placedBy?.name ?? null}, ${placement.placedBy?.id ?? null}, total_pence
        from placed where id = ${main.id}
      )
      select ${placedOrderColumns} from placed o where o.id = ${main.id}`),
  );
}

function titleOf({ placedBy, offline }: Placement): string {
  if (offline) return 'The order was sold at the counter without a connection';
  return placedBy ? 'The order was placed at the counter' : 'The customer placed the order';
}

const unlimited = 2_147_483_647;

function ordersOf(placement: Placement) {
  const { main, legs } = placement;
  const shared = {
    store_id: placement.storeId,
    customer_id: placement.customerId,
    without_customer: placement.withoutCustomer,
    eat_in: false,
    offline: null,
    channel: placement.channel,
    payment_status: 'pending_payment',
    currency: placement.currency,
    connected_account_id: placement.connectedAccountId,
    payment_mode: placement.paymentMode,
    on_behalf_of: placement.onBehalfOf,
    traceparent: currentTraceparent() ?? null,
  };
  const own = ({ id, orderType, collectionMode, slotId, collectAt, prepMinutes, price }: PartToPlace) => ({
    id,
    order_type: orderType,
    collection_mode: collectionMode,
    slot_id: slotId,
    requested_collection_at: collectAt,
    prep_minutes: prepMinutes,
    subtotal_pence: price.subtotalPence,
    promo_discount_pence: price.promoDiscountPence,
    voucher_discount_pence: price.voucherDiscountPence,
    tip_pence: price.tipPence,
    total_pence: price.totalPence,
  });
  const order = {
    ...shared,
    ...own(main),
    parent_order_id: null,
    fulfilment_mode: placement.mode,
    table_number: placement.tableNumber,
    eat_in: placement.eatIn,
    offline: placement.offline?.sale ?? null,
    idempotency_key: placement.key,
    request_fingerprint: bytes(placement.fingerprint),
    application_fee_pence: main.price.feePence,
    voucher_id: placement.voucherId,
    promo_code: placement.promo?.code ?? null,
    promo_label: placement.promo?.label ?? null,
    booking_ref: placement.bookingRef,
    pay_until: placement.payUntil.toISOString(),
    device_hash: placement.deviceHash && bytes(placement.deviceHash),
    address_hash: placement.addressHash && bytes(placement.addressHash),
    // An open sale is not replaced by another order of its customer.
    payment_attempted_at: placement.placedBy ? placement.placedAt.toISOString() : null,
  };
  const leg = { ...shared, parent_order_id: main.id, fulfilment_mode: 'counter', application_fee_pence: 0 };
  return [order, ...legs.map((part, n) => ({ ...leg, ...own(part), order_number: `-${n + 1}` }))] as const;
}

const binary = (hex: string | null): FragmentSqlToken => sql.fragment`decode(${hex}, 'hex')`;

const bytes = (hex: string): string => `\\x${hex}`;

/** A part whose quarter of the kitchen is a later one is ready then. */
const readyAt = sql.fragment`greatest(given.requested_collection_at, (select max(p.ready_at) from paced p where p.order_id = given.id))`;

let writtenColumns: FragmentSqlToken | undefined;
let writtenValues: FragmentSqlToken | undefined;

function columnsOf(row: object): FragmentSqlToken {
  writtenColumns ??= listSql(Object.keys(row).map((name) => sql.identifier([name])));
  return writtenColumns;
}

function valuesOf(row: object): FragmentSqlToken {
  writtenValues ??= listSql(Object.keys(row).map((name) => (name === 'requested_collection_at' ? readyAt : sql.identifier([name]))));
  return writtenValues;
}

const listSql = (members: Parameters<typeof sql.join>[0]): FragmentSqlToken => sql.fragment`${sql.join(members, sql.fragment`, `)}`;

const linesOf = ({ main, legs }: Placement) =>
  [main, ...legs].flatMap(({ id, lines }) => lines.map((line, n) => ({ order_id: id, position: n + 1, ...line })));
