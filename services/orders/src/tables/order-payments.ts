import type { Queries, Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

const none = z.object({});

/** Stores the intent the provider made for an order, and the customer's id at the provider. */
export async function recordIntent(
  queries: Queries,
  orderId: string,
  intentId: string,
  { customerId, providerId }: { readonly customerId: string; readonly providerId: string },
): Promise<void> {
  await queries.query(sql.prepared('record-intent', none)`
    with customer_recorded as (
      insert into payment_customer (customer_id, provider_id) values (${customerId}, ${providerId}) on conflict do nothing
    )
    update orders set payment_intent_id = ${intentId} where id = ${orderId} and payment_intent_id is null`);
}

/** Notes that the customer's bank declined a payment; the order can still be paid another way. */
export async function markDeclined(queries: Queries, orderId: string): Promise<void> {
  await queries.query(sql.prepared('mark-declined', none)`
    update orders set payment_status = 'payment_failed' where id = ${orderId} and payment_status = 'pending_payment'`);
}

/** Stores loyalty's award unless one is stored, and returns the stored one: concurrent confirms return the same. */
export async function keepAward(queries: Queries, orderId: string, award: object): Promise<unknown> {
  const { kept } = await queries.one(sql.prepared('keep-award', z.object({ kept: z.unknown() }))`
    update orders set award = coalesce(award, ${sql.jsonb(award as never)}) where id = ${orderId} returning award as kept`);
  return kept;
}

/** Writes the end of unpaid orders. */
export async function writeUnpaidEnd(tx: Transaction, orderIds: readonly string[], status: 'expired' | 'cancelled'): Promise<void> {
  await tx.query(sql.prepared('end-unpaid', none)`
    update orders
    set payment_status = ${status}, version = version + 1, business_status = ${status === 'cancelled' ? 'cancelled' : null},
        cancelled_at = ${status === 'cancelled' ? tx.now.toISOString() : null}
    where id = any(${sql.array([...orderIds], 'uuid')})`);
}

export interface Charge {
  readonly storeId: string;
  readonly orderId: string;
  /** Null for an order that cost nothing. */
  readonly intentId: string | null;
  readonly amountPence: number;
}

/** Writes a charge that came too late to the ledger. Its orders are marked as paid and stay cancelled. */
export async function writeLatePayment(tx: Transaction, charge: Charge, orderIds: readonly string[]): Promise<void> {
  const now = tx.now.toISOString();
  await tx.query(sql.prepared('late-payment', none)`
    with charged as (
      insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
      values (${charge.storeId}, ${charge.orderId}, 'charge', ${charge.intentId ?? `free:${charge.orderId}`}, ${charge.amountPence}, ${now})
    )
    update orders
    set payment_status = 'paid', paid_at = ${now}, version = version + 1, business_status = 'cancelled', fulfilment_status = 'cancelled',
        cancelled_at = coalesce(cancelled_at, ${now})
    where id = any(${sql.array([...orderIds], 'uuid')})`);
}

/** Notes whether the payment of an order is disputed. */
export async function writeDispute(tx: Transaction, orderId: string, open: boolean): Promise<void> {
  await tx.query(sql.prepared('note-dispute', none)`
    update orders set disputed = ${open}, version = version + 1 where id = ${orderId}`);
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
