import type { Queries, Transaction } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';

const none = z.object({});

export interface PreparedIntent {
  readonly orderId: string;
  readonly intentId: string;
  /** The attempt that created the intent. */
  readonly attempt: number;
  readonly customerId: string;
  /** The customer's id at the provider. */
  readonly providerId: string;
  readonly at: Date;
}

/**
 * Stores the intent of an unpaid order and the customer's id at the provider, and that both were created. Returns false, having stored
 * at most the customer, when the order has an intent, has ended, or holds nothing because another request gave up on it. The condition is
 * no `is null`: a plan made on a young table would read every order without an intent by the index of intents.
 */
export const recordIntent = async (
  queries: Queries,
  { orderId, intentId, attempt, customerId, providerId, at }: PreparedIntent,
): Promise<boolean> =>
  (await queries.maybeOne(sql.prepared('record-intent', z.object({ id: z.string() }))`
    with recorded as (
      update orders set payment_intent_id = ${intentId}
      where id = ${orderId} and coalesce(payment_intent_id, '') = '' and not holds_released and payment_status = 'pending_payment'
      returning id
    ), customer_recorded as (${customerInserted(customerId, providerId)}), calls_done as (
      update provider_call c
      set state = 'done', ended_at = ${at.toISOString()}, provider_id = case c.purpose when 'intent' then ${intentId} else ${providerId} end
      from recorded
      where c.state <> 'done' and ((c.purpose = 'intent' and c.reference = ${orderId} and c.attempt = ${attempt})
        or (c.purpose = 'customer' and c.reference = ${customerId} and c.state = 'requested'))
    )
    select id from recorded`)) !== null;

/**
 * Notes that an unpaid order holds nothing, and stores the customer's id at the provider if there is one. An intent whose creation got
 * no response is looked for from a minute later.
 */
export async function markHoldsReleased(
  tx: Transaction,
  { orderId, customerId, providerId }: { readonly orderId: string; readonly customerId: string; readonly providerId: string | null },
): Promise<void> {
  if (providerId) await tx.query(sql.prepared('insert-payment-customer', none)`${customerInserted(customerId, providerId)}`);
  await tx.query(sql.prepared('mark-holds-released', none)`
    with looked_for as (
      update provider_call set look_at = ${tx.now.toISOString()}::timestamptz + interval '1 minute'
      where purpose = 'intent' and reference = ${orderId} and look_at is null and state <> 'refused'
    )
    update orders set holds_released = true where id = ${orderId}`);
}

/** Notes that an unpaid order holds everything again, until `payUntil`. */
export async function markHeldAgain(tx: Transaction, orderId: string, payUntil: Date): Promise<void> {
  await tx.query(sql.prepared('mark-held-again', none)`
    update orders set holds_released = false, pay_until = ${payUntil.toISOString()} where id = ${orderId}`);
}

const customerInserted = (customerId: string, providerId: string): FragmentSqlToken => sql.fragment`
  insert into payment_customer (customer_id, provider_id) values (${customerId}, ${providerId}) on conflict do nothing`;

/** Reads the id that a customer has at the provider; null before the first payment. */
export const findPaymentCustomer = (queries: Queries, customerId: string): Promise<string | null> =>
  queries.maybeOneFirst(sql.prepared('find-payment-customer', z.object({ provider_id: z.string() }))`
    select provider_id from payment_customer where customer_id = ${customerId}`);

/** Notes that the customer's bank declined a payment; the order can still be paid another way. */
export async function markDeclined(queries: Queries, orderId: string): Promise<void> {
  await queries.query(sql.prepared('mark-declined', none)`
    update orders set payment_status = 'payment_failed' where id = ${orderId} and payment_status = 'pending_payment'`);
}

/** Writes the end of unpaid orders, the main order first. What pays it is looked at again, in case that it is paid all the same. */
export async function writeUnpaidEnd(tx: Transaction, orderIds: readonly string[], status: 'expired' | 'cancelled'): Promise<void> {
  await tx.query(sql.prepared('end-unpaid', none)`
    with looked_at as (
      update provider_call set look_at = ${tx.now.toISOString()}::timestamptz + interval '20 seconds'
      where purpose = 'intent' and reference = ${orderIds[0] ?? null} and state <> 'refused'
    )
    update orders
    set payment_status = ${status}, version = version + 1, business_status = ${status === 'cancelled' ? 'cancelled' : null},
        cancelled_at = ${status === 'cancelled' ? tx.now.toISOString() : null}
    where id = any(${sql.array([...orderIds], 'uuid')})`);
}

export interface Charge {
  readonly storeId: string;
  readonly orderId: string;
  readonly intentId: string;
  readonly amountPence: number;
}

/** Writes a charge that came too late to the ledger. Its orders are marked as paid and stay cancelled. */
export async function writeLatePayment(tx: Transaction, charge: Charge, orderIds: readonly string[]): Promise<void> {
  const now = tx.now.toISOString();
  await tx.query(sql.prepared('late-payment', none)`
    with charged as (
      insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
      values (${charge.storeId}, ${charge.orderId}, 'charge', ${charge.intentId}, ${charge.amountPence}, ${now})
    )
    update orders
    set payment_status = 'paid', paid_at = ${now}, version = version + 1, business_status = 'cancelled', fulfilment_status = 'cancelled',
        cancelled_at = coalesce(cancelled_at, ${now})
    where id = any(${sql.array([...orderIds], 'uuid')})`);
}

const OrderId = z.object({ id: z.string(), store_id: z.string() });
type OrderId = z.output<typeof OrderId>;

/**
 * Reads the ids of all unpaid orders whose time to pay is over, longest overdue first. Without a limit: orders that wait for a bank stay
 * in the list, and must not keep out those behind them.
 */
export const findOverdueOrders = (queries: Queries, now: Date): Promise<readonly OrderId[]> =>
  queries.any(sql.prepared('overdue-orders', OrderId)`
    select o.id, o.store_id from orders o
    where o.payment_status in ('pending_payment', 'payment_failed') and o.pay_until < ${now.toISOString()}
    order by o.pay_until`);

/** Reads the ids of all unpaid orders with an intent that were created before an instant. Without a limit, as above. */
export const findOrdersAwaitingPayment = (queries: Queries, createdBefore: Date): Promise<readonly OrderId[]> =>
  queries.any(sql.prepared('orders-awaiting-payment', OrderId)`
    select o.id, o.store_id from orders o
    where o.payment_status in ('pending_payment', 'payment_failed') and o.payment_intent_id is not null
      and o.created_at < ${createdBefore.toISOString()}
    order by o.pay_until`);

/** Stores that a cancellation of an unpaid order began, unless one did before. */
export async function beginCancel(queries: Queries, orderId: string, now: Date): Promise<void> {
  await queries.query(sql.prepared('begin-cancel', z.object({}))`
    update orders set cancel_begun_at = ${now.toISOString()}
    where id = ${orderId} and cancel_begun_at is null and payment_status in ('pending_payment', 'payment_failed')`);
}

/** Stores that the cancellation was refused: the order stays as it is, and a payment of it is kept. */
export async function abandonCancel(queries: Queries, orderId: string): Promise<void> {
  await queries.query(sql.prepared('abandon-cancel', z.object({}))`update orders set cancel_begun_at = null where id = ${orderId}`);
}
