import { type Database, instantOf, outboxValues, publish, type Queries, type Transaction } from '@corner/chassis';
import { orderCancelled, orderExpired, orderFulfilmentChanged, orderPaid } from '@corner/contracts';
import { type FragmentSqlToken, sql, UniqueIntegrityConstraintViolationError } from 'slonik';
import { collectionCodes } from '../order/crypto.ts';
import { nextVersionOf, orderFields } from '../order/rules/order-event.ts';
import { isUnpaid, mostLegs } from '../order/rules/order-status.ts';
import { releaseHolds, retakeHolds } from '../order/tables/holds.ts';
import { appendLog } from '../order/tables/log.ts';
import { familyIds, lockFamily, type OrderFamily } from '../order/tables/order-family.ts';
import { type Charge, writeLatePayment, writeUnpaidEnd } from '../order/tables/order-payments.ts';
import { findOrder, type OrderRow } from '../order/tables/orders.ts';
import { refundKey } from '../provider/rules.ts';
import { insertRefund, owedAttempts, type RefundRow } from '../refunds/index.ts';
import { writeAcceptedPayment } from './tables.ts';

export interface ConfirmedPayment extends ReportedCharge {
  /** Whether the order's voucher can no longer be reserved; only an order that had ended loses it. */
  readonly voucherIsGone: boolean;
}

export interface PaidOrder {
  readonly order: OrderRow;
  /** A reserved refund of the whole payment, when it came too late; else null. */
  readonly refund: RefundRow | null;
  /** Whether it was this call that accepted the payment, and processed its event. */
  readonly accepted: boolean;
}

/**
 * Marks an order paid with its legs, once, whether the confirm request, the webhook or the reconciling job comes first: in one statement
 * when it is still unpaid, else under its lock. Null when the store has no such order.
 */
export async function markPaid(database: Database, order: OrderRow, payment: ConfirmedPayment, now: Date): Promise<PaidOrder | null> {
  if (order.payment_status === 'paid') return { order, refund: null, accepted: false };
  return await repeatAfterRace(async () => {
    const paid = isUnpaid(order) ? await acceptPayment(database, order, { charge: payment, from: 'unpaid', at: now }) : null;
    if (paid) return { order: paid, refund: null, accepted: true };
    // Confirm request and webhook often come at once. When the other one has marked it, reading it is enough, without its lock.
    const current = isUnpaid(order) ? await findOrder(database, payment.storeId, payment.orderId) : null;
    if (current?.payment_status === 'paid') return { order: current, refund: null, accepted: false };
    return await database.transaction((tx) => markEndedPaid(tx, payment));
  });
}

/**
 * Marks an order paid that had ended. One that had expired takes its holds again; when they are no longer available, its payment is
 * reserved for refund. So is the payment of an order that was cancelled.
 */
async function markEndedPaid(tx: Transaction, payment: ConfirmedPayment): Promise<PaidOrder | null> {
  const family = await lockFamily(tx, payment.storeId, payment.orderId);
  if (!family) return null;
  const { main } = family;
  if (main.payment_status === 'paid') return { order: main, refund: null, accepted: false };
  const isOver = main.payment_status === 'cancelled' || payment.voucherIsGone || !(await takeAgain(tx, family));
  if (isOver) return await refundLatePayment(tx, family, payment);
  const order = await acceptPayment(tx, main, { charge: payment, from: 'expired', at: tx.now });
  return order && { order, refund: null, accepted: true };
}

const takeAgain = async (tx: Transaction, family: OrderFamily): Promise<boolean> =>
  (await retakeHolds(tx, { storeId: family.main.store_id, orderIds: familyIds(family), as: 'committed', customerId: null })).length === 0;

/** The order stays ended, and the whole payment is reserved for refund. */
async function refundLatePayment(tx: Transaction, family: OrderFamily, { intentId, amountPence }: Charge): Promise<PaidOrder> {
  const { main } = family;
  const { id: orderId, store_id: storeId } = main;
  await writeLatePayment(tx, { storeId, orderId, intentId, amountPence }, familyIds(family));
  const refund = {
    storeId,
    paymentOrderId: orderId,
    orderId,
    attempt: owedAttempts.tooLate,
    key: refundKey(orderId, owedAttempts.tooLate),
    amountPence,
    requestedPence: null,
    reason: 'The payment came after the order had ended.',
    byId: 'corner',
    byName: null,
    borneBy: 'store',
    toReversePence: 0,
  } as const;
  await appendLog(
    tx,
    {
      storeId,
      orderId,
      kind: 'paid',
      title: 'Payment was received after the order had ended',
      detail:
        main.payment_status === 'cancelled'
          ? 'It stays cancelled, so the whole sum is refunded.'
          : 'Not everything in it was still available, so the whole sum is refunded.',
      amountPence,
    },
    { storeId, orderId, kind: 'refund_requested', title: 'A refund was requested', detail: refund.reason, amountPence },
  );
  const order = { ...main, payment_status: 'paid', business_status: 'cancelled', fulfilment_status: 'cancelled' } as const;
  return { order: { ...order, version: main.version + 1 }, refund: await insertRefund(tx, refund), accepted: false };
}

/** States in which an order can be paid: one that is unpaid, or one that had expired and has taken its holds again for this payment. */
const payable = { unpaid: ['pending_payment', 'payment_failed'], expired: ['expired'] } as const;

export interface ReportedCharge extends Charge {
  /** The provider's event that reported it, which is processed with it; null when none did. */
  readonly eventId: string | null;
}

/**
 * Marks an order and its legs as paid, in one statement, and returns the order. Null, having changed nothing, when the order is in another
 * state by now. Publishes order.paid, and order.fulfilment_changed for what the store accepts at once.
 */
export async function acceptPayment(
  queries: Pick<Queries, 'maybeOne'>,
  order: OrderRow,
  { charge, from, at }: { readonly charge: ReportedCharge; readonly from: keyof typeof payable; readonly at: Date },
): Promise<OrderRow | null> {
  const now = at.toISOString();
  const payment = {
    ...charge,
    customerId: order.customer_id,
    from: payable[from],
    codes: collectionCodes(1 + mostLegs),
    detail: from === 'expired' ? 'It came after the order had ended; everything in it was still available.' : null,
    events: paidEvents(order, now, 'paid'),
  };
  const paid = await writeAcceptedPayment(queries, payment, now);
  return paid && { ...order, ...paid };
}

/** What is known of an order before the statement that writes it as paid. */
export interface OrderToPay {
  readonly id: string;
  readonly store_id: string;
  readonly customer_id: string;
  readonly currency: string;
  readonly total_pence: number;
  readonly tip_pence: number;
  readonly voucher_id: string | null;
  readonly promo_code: string | null;
}

/**
 * Selects the rows of the outbox for an order that a statement writes as paid: order.paid, and order.fulfilment_changed for each part to
 * collect that the store accepts at once. `rows` is the statement's table of the orders as they are then.
 */
export function paidEvents(order: OrderToPay, now: string, rows: 'placed' | 'paid'): FragmentSqlToken {
  const from = sql.fragment`from ${sql.identifier([rows])} p`;
  const ids = { aggregateId: order.id, sequence: 0, storeId: order.store_id, customerId: order.customer_id };
  const fields = orderFields({ ...order, order_number: '' });
  const sequence = sql.fragment`p.version`;
  const order_number = sql.fragment`p.order_number`;
  const at = instantOf(sql.fragment`p.paid_at`);
  const paid = {
    ...fields,
    paid_at: now,
    total_pence: order.total_pence,
    tip_pence: order.tip_pence,
    net_of_tip_pence: order.total_pence - order.tip_pence,
    currency: order.currency,
    voucher_id: order.voucher_id,
    promo_code: order.promo_code,
    is_first: false,
    leg_ids: [],
  };
  const leg_ids = sql.fragment`(select coalesce(jsonb_agg(l.id order by l.order_number), '[]') from ${sql.identifier([rows])} l
    where l.parent_order_id is not null)`;
  const accepted = { ...fields, from: null, to: 'accepted' as const, at: now, collection_code: null };
  return sql.fragment`
    select ${outboxValues(orderPaid, { ...ids, data: paid }, { sequence, data: { order_number, paid_at: at, is_first: sql.fragment`p.is_first`, leg_ids } })}
    ${from} where p.parent_order_id is null
    union all (
      select ${outboxValues(
        orderFulfilmentChanged,
        { ...ids, data: accepted },
        {
          aggregateId: sql.fragment`p.id::text`,
          sequence,
          data: { order_id: sql.fragment`p.id`, order_number, at, collection_code: sql.fragment`p.collection_code` },
        },
      )}
      ${from} where p.order_type = 'collect' and p.fulfilment_status = 'accepted' order by p.parent_order_id nulls first, p.order_number
    )`;
}

/** Constraints that refuse an order as it is paid when another one was faster. Run again, the statement finds what the other one wrote. */
const races = ['collection_code_is_unique_among_live_orders', 'one_first_order_of_a_customer'];
const mostRaces = 10;

/** Runs a statement or transaction that pays an order, again when it lost a race. */
export async function repeatAfterRace<T>(work: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n += 1) {
    try {
      return await work();
    } catch (error) {
      const isRace = error instanceof UniqueIntegrityConstraintViolationError && races.includes(error.constraint ?? '');
      if (!isRace || n === mostRaces) throw error;
    }
  }
}

export interface UnpaidEnd {
  readonly storeId: string;
  readonly orderId: string;
  readonly as: 'expired' | 'cancelled';
  /** Title of the log entry. */
  readonly title: string;
  /** Name of the person who ended it; null or absent when the service did. */
  readonly actor?: string | null;
  readonly reason?: string | null;
}

/**
 * Ends an order that was never paid, with its legs, and releases what they hold. An order that is no longer unpaid stays as it is. The
 * caller has made sure that its payment intent can no longer succeed. Publishes order.expired or order.cancelled.
 */
export async function endUnpaidOrder(tx: Transaction, { storeId, orderId, as, title, actor, reason }: UnpaidEnd): Promise<void> {
  const family = await lockFamily(tx, storeId, orderId);
  if (!family || !isUnpaid(family.main)) return;
  const { main } = family;
  const orderIds = familyIds(family);
  await writeUnpaidEnd(tx, orderIds, as);
  await releaseHolds(tx, { storeId, orderIds, kinds: ['slot', 'stock', 'promo'] });
  await appendLog(tx, { storeId, orderId: main.id, kind: as, title, detail: reason ?? null, actor: actor ?? null });
  await publish(tx, as === 'expired' ? orderExpired : orderCancelled, {
    ...nextVersionOf(main),
    data: { ...orderFields(main), voucher_id: main.voucher_id, was_paid: false, reason: reason ?? null },
  });
}
