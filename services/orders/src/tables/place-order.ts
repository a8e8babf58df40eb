import { currentTraceparent, type Database } from '@corner/chassis';
import { Problem, type ProblemCode, problems } from '@corner/contracts';
import { sql, UniqueIntegrityConstraintViolationError } from 'slonik';
import { z } from 'zod';
import type { MenuItem, Price, PricedLine } from '../rules/pricing.ts';
import { OrderRow } from './orders.ts';

/** An order as placing it needs it: what its payment takes, what is answered, and the fingerprint it came with. */
const Placed = OrderRow.pick({
  id: true,
  store_id: true,
  customer_id: true,
  order_number: true,
  payment_status: true,
  business_status: true,
  currency: true,
  total_pence: true,
  refunded_pence: true,
  application_fee_pence: true,
  connected_account_id: true,
  on_behalf_of: true,
  payment_intent_id: true,
  collection_code: true,
}).extend({ fingerprint: z.string(), store_name: z.string(), payment_customer: z.string().nullable() });
export type Placed = z.output<typeof Placed>;

const Ground = z.object({
  store: z
    .object({
      id: z.string(),
      code: z.string(),
      name: z.string(),
      currency: z.string(),
      time_zone: z.string(),
      connected_account_id: z.string().nullable(),
      fee_bps: z.number(),
      on_behalf_of: z.boolean(),
      hours: z.array(z.object({ day: z.number(), opens: z.string(), closes: z.string() })),
      live: z.boolean(),
    })
    .nullable(),
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      price_pence: z.number(),
      prep_minutes: z.number(),
      available: z.boolean(),
      stock: z.number().nullable(),
    }),
  ),
  payment_customer: z.string().nullable(),
  /** The order this key stands for already. */
  placed: Placed.nullable(),
});
export type Ground = z.output<typeof Ground>;

const placedUnder = (customerId: string, key: string) => sql.fragment`
  select o.id, o.store_id, o.customer_id, o.order_number, o.payment_status, o.business_status, o.currency, o.total_pence, o.refunded_pence,
    o.application_fee_pence, o.connected_account_id, o.on_behalf_of, o.payment_intent_id, o.collection_code,
    encode(o.request_fingerprint, 'hex') as fingerprint, s.name as store_name,
    (select c.provider_id from payment_customer c where c.customer_id = o.customer_id) as payment_customer
  from orders o join store s on s.id = o.store_id
  where o.customer_id = ${customerId} and o.idempotency_key = ${key}`;

export interface Sought {
  readonly storeId: string;
  readonly itemIds: readonly string[];
  readonly customerId: string;
  readonly key: string;
}

/** What placing an order stands on, in one statement: what was placed before, the store, the items, the customer's name at the provider. */
export const readGround = (database: Database, { storeId, itemIds, customerId, key }: Sought): Promise<Ground> =>
  database.one(sql.prepared('read-ground', Ground)`
    select
      (select to_jsonb(p) from (${placedUnder(customerId, key)}) p) as placed,
      (select jsonb_build_object('id', s.id, 'code', s.code, 'name', s.name, 'currency', s.currency, 'time_zone', s.time_zone,
        'connected_account_id', s.connected_account_id, 'fee_bps', s.fee_bps, 'on_behalf_of', s.on_behalf_of, 'hours', s.hours, 'live', s.live)
       from store s where s.id = ${storeId}) as store,
      coalesce((select jsonb_agg(jsonb_build_object('id', m.id, 'name', m.name, 'price_pence', m.price_pence, 'prep_minutes', m.prep_minutes,
        'available', m.available, 'stock', m.stock)) from menu_item m where m.store_id = ${storeId} and m.id = any(${sql.array([...itemIds], 'text')})), '[]') as items,
      (select c.provider_id from payment_customer c where c.customer_id = ${customerId}) as payment_customer`);

/** The order a customer's key stands for, if any. */
export const findPlaced = (database: Database, customerId: string, key: string): Promise<Placed | null> =>
  database.maybeOne(sql.prepared('find-placed', Placed)`${placedUnder(customerId, key)}`);

export interface Placement {
  readonly id: string;
  readonly storeId: string;
  readonly customerId: string;
  readonly key: string;
  readonly fingerprint: Buffer;
  readonly orderType: 'buy_now' | 'collect';
  readonly collectionMode: 'now' | 'scheduled' | null;
  readonly mode: 'counter' | 'table';
  readonly tableNumber: string | null;
  readonly prepMinutes: number;
  readonly lines: readonly PricedLine[];
  readonly stocked: readonly MenuItem[];
  readonly price: Price;
  readonly connectedAccountId: string;
  readonly onBehalfOf: boolean;
  readonly currency: string;
  readonly payUntil: Date;
  readonly at: Date;
}

/**
 * Places an order in one statement: stock is taken in order of id, the number is drawn, order, lines, holds and the log's first
 * entry are written, or nothing at all. Answers null when the customer's key is taken already. Throws OUT_OF_STOCK.
 */
export async function placeOrder(queries: Pick<Database, 'one'>, p: Placement): Promise<{ readonly order_number: string } | null> {
  const stocked = p.lines.filter(({ menu_item_id }) => p.stocked.some(({ id, stock }) => id === menu_item_id && stock !== null));
  try {
    return await queries.one(sql.prepared('place-order', z.object({ order_number: z.string() }))`
      with wanted as (
        select * from unnest(${sql.array(
          stocked.map(({ menu_item_id }) => menu_item_id),
          'text',
        )}, ${sql.array(
          stocked.map(({ quantity }) => quantity),
          'int4',
        )}) as w(id, quantity)
      ), locked as (
        select m.id from menu_item m join wanted w on w.id = m.id where m.store_id = ${p.storeId} order by m.id for update of m
      ), taken as (
        update menu_item m set taken = m.taken + w.quantity
        from wanted w join locked k on k.id = w.id
        where m.store_id = ${p.storeId} and m.id = w.id and (m.stock is null or m.taken + w.quantity <= m.stock)
        returning m.id
      ), enough as (
        select case when (select count(*) from taken) = (select count(*) from wanted) then true else refuse('OUT_OF_STOCK') end as yes
      ), numbered as (
        update store set last_order_number = last_order_number + 1 where id = ${p.storeId} and (select yes from enough)
        returning code || '-' || last_order_number as order_number
      ), placed as (
        insert into orders (id, store_id, customer_id, order_number, order_type, collection_mode, fulfilment_mode, table_number, prep_minutes,
          idempotency_key, request_fingerprint, payment_status, currency, subtotal_pence, promo_discount_pence, voucher_discount_pence, tip_pence,
          total_pence, application_fee_pence, connected_account_id, on_behalf_of, pay_until, traceparent)
        select ${p.id}, ${p.storeId}, ${p.customerId}, order_number, ${p.orderType}, ${p.collectionMode}, ${p.mode}, ${p.tableNumber}, ${p.prepMinutes},
          ${p.key}, ${sql.binary(p.fingerprint)}, 'pending_payment', ${p.currency}, ${p.price.subtotalPence}, ${p.price.promoDiscountPence},
          ${p.price.voucherDiscountPence}, ${p.price.tipPence}, ${p.price.totalPence}, ${p.price.feePence}, ${p.connectedAccountId}, ${p.onBehalfOf},
          ${p.payUntil.toISOString()}, ${currentTraceparent() ?? null}
        from numbered
        returning id, order_number
      ), lined as (
        insert into order_line (order_id, position, menu_item_id, name, quantity, unit_price_pence)
        select placed.id, l.ordinality, l.menu_item_id, l.name, l.quantity, l.unit_price_pence
        from placed, rows from (jsonb_to_recordset(${sql.jsonb(p.lines as never)}) as (menu_item_id text, name text, quantity integer, unit_price_pence integer)) with ordinality l
      ), held as (
        insert into hold (order_id, kind, ref, quantity) select placed.id, 'stock', w.id, w.quantity from placed, wanted w
      ), logged as (
        insert into log_entry (store_id, order_id, at, kind, title, amount_pence)
        select ${p.storeId}, id, ${p.at.toISOString()}, 'placed', 'The customer placed the order', ${p.price.totalPence} from placed
      )
      select order_number from placed`);
  } catch (error) {
    if (error instanceof UniqueIntegrityConstraintViolationError && error.constraint === 'one_order_for_a_key') return null;
    throw refusalOf(error);
  }
}

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
