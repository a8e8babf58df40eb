import { randomInt } from 'node:crypto';
import { outboxEntry, publishAll, type Transaction } from '@corner/chassis';
import { orderFulfilmentChanged, orderPaid } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { retakeHolds } from './holds.ts';
import { appendLog } from './log.ts';
import { type Family, lockFamily, namesOf, nextOf, OrderRow, orderColumns } from './orders.ts';
import { type RefundRow, reserveRefund } from './refunds.ts';

export interface Payment {
  readonly at: Date;
  readonly intentId: string | null;
  readonly chargePence: number;
  /** The voucher of an order that had ended cannot be had again. */
  readonly voucherIsGone?: boolean;
  /** For the refund of a payment that came too late. */
  readonly newId: () => string;
}

export interface PaidOrder {
  readonly order: OrderRow;
  /** Due at once: the payment came when what it was for was gone. */
  readonly refund: RefundRow | null;
}

/** Paid orders not made yet that put off the next one by a minute, and the most minutes they do. */
const ordersAheadAMinute = 3;
const mostMinutesAhead = 30;

/** Without letters and digits that look alike. */
const codeAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const newCode = (): string => Array.from({ length: 4 }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('');

/**
 * Marks an order paid with its legs, once, whoever finds out first: confirm, the webhook or the reconciler. The ledger gains its
 * charge, holds become commitments, the store accepts, and order.paid is told, all in the caller's transaction. An order that had
 * ended takes its holds again; where they are gone its money goes back. Null when there is no such order.
 */
export async function markPaid(tx: Transaction, storeId: string, orderId: string, payment: Payment): Promise<PaidOrder | null> {
  const family = await lockFamily(tx, storeId, orderId);
  if (!family) return null;
  const { main } = family;
  if (main.payment_status === 'paid') return { order: main, refund: null };
  const ended = main.payment_status === 'expired' || main.payment_status === 'cancelled';
  const gone = ended && (payment.voucherIsGone || !(await retakeHolds(tx, storeId, idsOf(family), payment.at)));
  if (gone) return await paidTooLate(tx, family, payment);
  const [order] = await acceptPaid(
    tx,
    { storeId, customerId: main.customer_id, id: main.id, legIds: family.legs.map(({ id }) => id) },
    payment,
    ended,
  );
  return { order, refund: null };
}

const idsOf = ({ main, legs }: Family) => [main.id, ...legs.map(({ id }) => id)];

/** An order nobody else can change: locked with its legs, or placed in this transaction. */
export interface Unpaid {
  readonly storeId: string;
  readonly customerId: string;
  readonly id: string;
  readonly legIds: readonly string[];
}

/** Marks it paid, whatever was before, and answers it with its legs as they are then. `ended` says that it had ended meanwhile. */
export async function acceptPaid(
  tx: Transaction,
  { storeId, customerId, id, legIds }: Unpaid,
  payment: Payment,
  ended = false,
): Promise<readonly [OrderRow, ...OrderRow[]]> {
  const ids = sql.array([id, ...legIds], 'uuid');
  const at = payment.at.toISOString();
  const codes = Array.from({ length: 8 * (1 + legIds.length) }, newCode);
  const rows = await tx.many(sql.prepared('mark-paid', OrderRow)`
    with changed as (
      select o.id, row_number() over (partition by o.order_type order by o.parent_order_id nulls first, o.order_number) as n
      from orders o where o.id = any(${ids})
    ), free as (
      select c.code, row_number() over (order by min(c.n)) as n from unnest(${sql.array(codes, 'text')}) with ordinality c(code, n)
      where not exists (
        select 1 from orders q where q.store_id = ${storeId} and q.business_status in ('placed', 'ready') and q.collection_code = c.code)
      group by c.code
    ), ahead as (
      select least(count(*) / ${ordersAheadAMinute}, ${mostMinutesAhead})::integer as minutes
      from (select 1 from orders q where q.store_id = ${storeId} and q.paid_at is not null and q.business_status = 'placed'
        limit ${ordersAheadAMinute * mostMinutesAhead}) waiting
    ), first as (
      select not exists (
        select 1 from orders q where q.customer_id = ${customerId} and q.store_id = ${storeId} and q.paid_at is not null
          and q.is_first is not null) as is_first
    ), entered as (
      insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
      values (${storeId}, ${id}, 'charge', ${payment.intentId ?? `free:${id}`}, ${payment.chargePence}, ${at})
    ), committed as (
      update hold set state = 'committed' where order_id = any(${ids}) and state = 'held'
    ), logged as (
      insert into log_entry (store_id, order_id, at, kind, title, detail, amount_pence)
      values (${storeId}, ${id}, ${at}, 'paid', 'Payment was received',
        ${ended ? 'It came after the order had ended; everything it was for was still to be had.' : null}, ${payment.chargePence})
    ), paid as (
      update orders o
      set payment_status = 'paid', business_status = 'placed', paid_at = ${at}, version = o.version + 1, cancelled_at = null,
          is_first = case when o.parent_order_id is null then first.is_first end,
          fulfilment_status = case when s.auto_accept then 'accepted' end,
          accepted_at = case when s.auto_accept then ${at}::timestamptz end,
          requested_collection_at = coalesce(o.requested_collection_at,
            case when o.order_type = 'collect' then ${at}::timestamptz + make_interval(mins => o.prep_minutes + ahead.minutes) end),
          collection_code = case when o.order_type = 'collect' then free.code end
      from store s, ahead, first, changed join free on free.n = changed.n
      where o.id = changed.id and s.id = o.store_id
      returning o.*
    )
    select ${orderColumns} from paid o order by o.parent_order_id nulls first, o.order_number`);
  const [paid, ...paidLegs] = rows;
  if (!paid || rows.length !== 1 + legIds.length) throw new Error('an order that was marked paid is not whole');
  await publishAll(tx, [
    outboxEntry(orderPaid, {
      ...of(paid),
      data: {
        ...namesOf(paid),
        paid_at: paid.paid_at ?? at,
        total_pence: paid.total_pence,
        tip_pence: paid.tip_pence,
        net_of_tip_pence: paid.total_pence - paid.tip_pence,
        currency: paid.currency,
        voucher_id: paid.voucher_id,
        promo_code: paid.promo_code,
        is_first: paid.is_first ?? false,
        leg_ids: paidLegs.map(({ id }) => id),
      },
    }),
    ...rows
      .filter(({ order_type, fulfilment_status }) => order_type === 'collect' && fulfilment_status === 'accepted')
      .map((order) =>
        outboxEntry(orderFulfilmentChanged, {
          ...of(order),
          data: { ...namesOf(order), from: null, to: 'accepted', at: order.paid_at ?? at, collection_code: order.collection_code },
        }),
      ),
  ]);
  return [paid, ...paidLegs];
}

/** Of a row as it is after the change. */
const of = (order: OrderRow) => ({ ...nextOf(order), sequence: order.version });

/** The money was taken and what it was for is gone: the order stays ended, and the whole sum is to go back. */
async function paidTooLate(tx: Transaction, family: Family, { at, intentId, chargePence, newId }: Payment): Promise<PaidOrder> {
  const { main } = family;
  await tx.query(sql.prepared('paid-too-late', z.object({}))`
    with entered as (
      insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
      values (${main.store_id}, ${main.id}, 'charge', ${intentId ?? `free:${main.id}`}, ${chargePence}, ${at.toISOString()})
    )
    update orders
    set payment_status = 'paid', paid_at = ${at.toISOString()}, version = version + 1, business_status = 'cancelled', fulfilment_status = 'cancelled',
        cancelled_at = coalesce(cancelled_at, ${at.toISOString()})
    where id = any(${sql.array(idsOf(family), 'uuid')})`);
  await appendLog(tx, {
    storeId: main.store_id,
    orderId: main.id,
    at,
    kind: 'paid',
    title: 'Payment was received after the order had ended',
    detail: 'What it was for was gone, so the whole sum is refunded.',
    amountPence: chargePence,
  });
  const refund = await reserveRefund(tx, {
    id: newId(),
    payment: main,
    target: main,
    attempt: 'paid-too-late',
    amountPence: chargePence,
    reason: 'The payment came after the order had ended.',
    byId: 'corner',
    byName: null,
    at,
  });
  const order = { ...main, payment_status: 'paid', business_status: 'cancelled', fulfilment_status: 'cancelled' } as const;
  return { order: { ...order, version: main.version + 1 }, refund };
}
