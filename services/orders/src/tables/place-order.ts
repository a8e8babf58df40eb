import { currentTraceparent, type Database } from '@corner/chassis';
import { Problem, type ProblemCode, problems } from '@corner/contracts';
import { sql, UniqueIntegrityConstraintViolationError } from 'slonik';
import { z } from 'zod';
import type { OrderPrice, Price, PricedLine } from '../rules/pricing.ts';

/** One row to be: the order itself, or a leg of it. */
export interface PlacedPart {
  readonly id: string;
  readonly orderType: 'buy_now' | 'collect';
  readonly collectionMode: 'now' | 'scheduled' | null;
  readonly slotId: string | null;
  /** Begin of the slot; null until payment for what is collected as soon as it is made. */
  readonly collectAt: string | null;
  readonly prepMinutes: number;
  readonly lines: readonly PricedLine[];
  readonly price: Price;
}

export interface Placement {
  readonly storeId: string;
  readonly customerId: string;
  readonly key: string;
  readonly fingerprint: Buffer;
  readonly mode: 'counter' | 'table';
  readonly tableNumber: string | null;
  /** The order: its price is of all its parts together, its lines are its own. */
  readonly main: PlacedPart & { readonly price: OrderPrice };
  readonly legs: readonly PlacedPart[];
  /** Items that are counted. */
  readonly counted: ReadonlySet<string>;
  readonly promo: { readonly id: string; readonly code: string; readonly label: string | null } | null;
  readonly voucherId: string | null;
  readonly connectedAccountId: string;
  readonly onBehalfOf: boolean;
  readonly currency: string;
  readonly payUntil: Date;
  readonly at: Date;
}

/**
 * Places an order in one statement: places in slots, then stock, each in order of id, then the promo code are taken, the number is
 * drawn, and orders, lines, holds and the log's first entry are written; or nothing at all. Answers null when the customer's key is
 * taken already. Throws SLOT_JUST_FILLED, SLOT_CLOSED, OUT_OF_STOCK, PROMO_LIMIT_REACHED.
 */
export async function placeOrder(queries: Pick<Database, 'one'>, p: Placement): Promise<{ readonly order_number: string } | null> {
  const parts = [p.main, ...p.legs];
  const held = parts.flatMap((part) => [
    ...(part.slotId ? [{ order_id: part.id, kind: 'slot', ref: part.slotId, quantity: 1 }] : []),
    ...part.lines
      .filter(({ menu_item_id }) => p.counted.has(menu_item_id))
      .map(({ menu_item_id, quantity }) => ({ order_id: part.id, kind: 'stock', ref: menu_item_id, quantity })),
    ...(p.promo && part === p.main ? [{ order_id: part.id, kind: 'promo', ref: p.promo.id, quantity: 1 }] : []),
  ]);
  try {
    return await queries.one(sql.prepared('place-order', z.object({ order_number: z.string() }))`
      with held as (
        select * from jsonb_to_recordset(${sql.jsonb(held)}) as h(order_id uuid, kind text, ref text, quantity integer)
      ), places as (
        select ref::uuid as id, sum(quantity)::integer as quantity from held where kind = 'slot' group by ref
      ), slots_locked as (
        select t.id from slot t join places w on w.id = t.id where t.store_id = ${p.storeId} order by t.id for update of t
      ), slots_taken as (
        update slot t set used = t.used + w.quantity
        from places w join slots_locked k on k.id = w.id
        where t.id = w.id and t.open and t.ends_at > ${p.at.toISOString()} and (t.capacity is null or t.used + w.quantity <= t.capacity)
        returning t.id
      ), places_enough as (
        select case
          when (select count(*) from slots_taken) = (select count(*) from places) then true
          when exists (select 1 from slot t join places w on w.id = t.id where not t.open or t.ends_at <= ${p.at.toISOString()}) then refuse('SLOT_CLOSED')
          else refuse('SLOT_JUST_FILLED') end as yes
      ), goods as (
        select ref as id, sum(quantity)::integer as quantity from held where kind = 'stock' and (select yes from places_enough) group by ref
      ), items_locked as (
        select m.id from menu_item m join goods w on w.id = m.id where m.store_id = ${p.storeId} order by m.id for update of m
      ), items_taken as (
        update menu_item m set taken = m.taken + w.quantity
        from goods w join items_locked k on k.id = w.id
        where m.store_id = ${p.storeId} and m.id = w.id and (m.stock is null or m.taken + w.quantity <= m.stock)
        returning m.id
      ), goods_enough as (
        select case when (select count(*) from items_taken) = (select count(*) from goods) then true else refuse('OUT_OF_STOCK') end as yes
      ), promo_taken as (
        update promo c set uses = c.uses + 1
        where c.id = ${p.promo?.id ?? null} and (select yes from goods_enough) and c.active and (c.max_uses is null or c.uses < c.max_uses)
        returning c.id
      ), promo_allowed as (
        select case
          when ${p.promo?.id ?? null}::uuid is null then true
          when not exists (select 1 from promo_taken) then refuse('PROMO_LIMIT_REACHED')
          when promo_is_free_for(${p.promo?.id ?? null}, ${p.customerId}) then true
          else refuse('PROMO_LIMIT_REACHED') end as yes
      ), numbered as (
        update store set last_order_number = last_order_number + 1
        where id = ${p.storeId} and (select yes from goods_enough) and (select yes from promo_allowed)
        returning code || '-' || last_order_number as order_number
      ), placed as (
        insert into orders (id, store_id, customer_id, parent_order_id, order_number, order_type, collection_mode, slot_id, requested_collection_at,
          fulfilment_mode, table_number, prep_minutes, idempotency_key, request_fingerprint, payment_status, currency, subtotal_pence,
          promo_discount_pence, voucher_discount_pence, tip_pence, total_pence, application_fee_pence, connected_account_id, on_behalf_of,
          voucher_id, promo_code, promo_label, pay_until, traceparent)
        select r.id, ${p.storeId}, ${p.customerId}, r.parent_order_id, n.order_number || coalesce('-' || r.leg, ''), r.order_type, r.collection_mode,
          r.slot_id, r.collect_at, r.fulfilment_mode, r.table_number, r.prep_minutes, r.key, decode(r.fingerprint, 'hex'), 'pending_payment',
          ${p.currency}, r.subtotal_pence, r.promo_discount_pence, r.voucher_discount_pence, r.tip_pence, r.total_pence, r.fee_pence,
          ${p.connectedAccountId}, ${p.onBehalfOf}, r.voucher_id, r.promo_code, r.promo_label, r.pay_until, r.traceparent
        from numbered n, jsonb_to_recordset(${sql.jsonb(rowsOf(p) as never)}) as r(id uuid, parent_order_id uuid, leg integer, order_type text,
          collection_mode text, slot_id uuid, collect_at timestamptz, fulfilment_mode text, table_number text, prep_minutes integer, key uuid,
          fingerprint text, subtotal_pence integer, promo_discount_pence integer, voucher_discount_pence integer, tip_pence integer,
          total_pence integer, fee_pence integer, voucher_id uuid, promo_code text, promo_label text, pay_until timestamptz, traceparent text)
        returning id, order_number, parent_order_id
      ), lined as (
        insert into order_line (order_id, position, menu_item_id, name, quantity, unit_price_pence)
        select l.order_id, l.position, l.menu_item_id, l.name, l.quantity, l.unit_price_pence
        from placed join jsonb_to_recordset(${sql.jsonb(linesOf(parts) as never)})
          as l(order_id uuid, position integer, menu_item_id text, name text, quantity integer, unit_price_pence integer) on l.order_id = placed.id
      ), kept as (
        insert into hold (order_id, kind, ref, quantity) select h.order_id, h.kind, h.ref, h.quantity from placed join held h on h.order_id = placed.id
      ), logged as (
        insert into log_entry (store_id, order_id, at, kind, title, amount_pence)
        select ${p.storeId}, id, ${p.at.toISOString()}, 'placed', 'The customer placed the order', ${p.main.price.totalPence}
        from placed where parent_order_id is null
      )
      select order_number from placed where parent_order_id is null`);
  } catch (error) {
    if (error instanceof UniqueIntegrityConstraintViolationError && error.constraint === 'one_order_for_a_key') return null;
    throw refusalOf(error);
  }
}

const rowsOf = (p: Placement) =>
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
          fingerprint: p.fingerprint.toString('hex'),
          fee_pence: p.main.price.feePence,
          voucher_id: p.voucherId,
          promo_code: p.promo?.code ?? null,
          promo_label: p.promo?.label ?? null,
          pay_until: p.payUntil.toISOString(),
        }
      : { parent_order_id: p.main.id, leg: n, fulfilment_mode: 'counter', fee_pence: 0 }),
  }));

const linesOf = (parts: readonly PlacedPart[]) =>
  parts.flatMap(({ id, lines }) => lines.map((line, n) => ({ order_id: id, position: n + 1, ...line })));

/** The refusal a statement ended with by way of the database's own `refuse`. */
function refusalOf(error: unknown): unknown {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    const { code, message } = fault as { code?: string; message: string };
    if (code === 'CR001' && message in problems) return new Problem(message as ProblemCode);
  }
  return error;
}

/** Keeps the intent the provider made for an order. */
export async function recordIntent(
  database: Database,
  orderId: string,
  intentId: string,
  customerId: string,
  paymentCustomer: string,
): Promise<void> {
  await database.query(sql.prepared('record-intent', z.object({}))`
    with named as (
      insert into payment_customer (customer_id, provider_id) values (${customerId}, ${paymentCustomer}) on conflict do nothing
    )
    update orders set payment_intent_id = ${intentId} where id = ${orderId} and payment_intent_id is null`);
}
