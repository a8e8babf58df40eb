import { NoColumns, type Queries, type Transaction } from '@corner/chassis';
import type { ProviderMode } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Charge, PayableOrder, payableColumns } from '../payment/index.ts';

const OrderToConfirm = PayableOrder.extend({ welcome_message: z.string().nullable() });

export const findCustomerOrderByIntent = (
  queries: Queries,
  { storeId, customerId, intentId }: { readonly storeId: string; readonly customerId: string; readonly intentId: string },
): Promise<z.output<typeof OrderToConfirm> | null> =>
  queries.maybeOne(sql.prepared('find-customer-order-by-intent', OrderToConfirm)`
    select ${payableColumns}, s.welcome_message
    from orders o join store s on s.id = o.store_id
    where o.payment_intent_id = ${intentId} and o.store_id = ${storeId} and o.customer_id = ${customerId}`);

export const findPaymentCustomer = (queries: Queries, customerId: string, mode: ProviderMode): Promise<string | null> =>
  queries.maybeOneFirst(sql.prepared('find-payment-customer', z.object({ provider_id: z.string() }))`
    select provider_id from payment_customer where customer_id = ${customerId} and coalesce(mode, ${mode}) = ${mode}`);

const OrderId = z.object({ id: z.string(), store_id: z.string() });
type OrderId = z.output<typeof OrderId>;

/**
 * Reads the ids of all unpaid orders whose time to pay is over, longest overdue first. Without a limit: orders that wait for a bank stay
 * in the list and must not block those behind them.
 */
export const findOverdueOrders = (queries: Queries, now: Date): Promise<readonly OrderId[]> =>
  queries.any(sql.prepared('overdue-orders', OrderId)`
    select o.id, o.store_id from orders o
    where o.payment_status in ('pending_payment', 'payment_failed') and o.pay_until < ${now.toISOString()}
    order by o.pay_until`);

export const findOrdersAwaitingPayment = (queries: Queries, createdBefore: Date, mode: ProviderMode): Promise<readonly OrderId[]> =>
  queries.any(sql.prepared('orders-awaiting-payment', OrderId)`
    select o.id, o.store_id from orders o
    where o.payment_status in ('pending_payment', 'payment_failed') and o.payment_intent_id is not null
      and o.created_at < ${createdBefore.toISOString()} and coalesce(o.payment_mode, ${mode}) = ${mode}
    order by o.pay_until`);

export interface PaymentAttempt {
  readonly orderId: string;
  readonly isDeclined: boolean;
  readonly moreMinutes: number;
}

/**
 * Notes that the customer tried to pay an order: from the first time on it keeps its holds longer. Logs the first attempt that the bank
 * declined; the order can still be paid another way. Returns whether a declined one was not noted before.
 */
export async function markAttempted(queries: Queries, { orderId, isDeclined, moreMinutes }: PaymentAttempt, now: Date): Promise<boolean> {
  const { rowCount } = await queries.query(sql.prepared('mark-attempted', NoColumns)`
    with attempted as (
      update orders
      set payment_status = case when ${isDeclined} then 'payment_failed' else payment_status end,
          pay_until = case when payment_attempted_at is null then pay_until + make_interval(mins => ${moreMinutes}) else pay_until end,
          payment_attempted_at = coalesce(payment_attempted_at, ${now.toISOString()})
      where id = ${orderId} and coalesce(payment_status, '') = 'pending_payment' and (${isDeclined} or payment_attempted_at is null)
      returning id, store_id
    )
    insert into log_entry (store_id, order_id, at, kind, title)
    select store_id, id, ${now.toISOString()}, 'declined', 'The customer’s bank declined a payment' from attempted where ${isDeclined}`);
  return rowCount > 0;
}

export async function writeLatePayment(
  tx: Transaction,
  charge: Charge,
  orderIds: readonly string[],
  sellerVersion: number | null,
): Promise<void> {
  const now = tx.now.toISOString();
  await tx.query(sql.prepared('late-payment', NoColumns)`
    with charged as (
      insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
      values (${charge.storeId}, ${charge.orderId}, 'charge', ${charge.intentId}, ${charge.amountPence}, ${now})
    )
    update orders
    set payment_status = 'paid', paid_at = ${now}, version = version + 1, business_status = 'cancelled', fulfilment_status = 'cancelled',
        cancelled_at = coalesce(cancelled_at, ${now}), cancelled_by = coalesce(cancelled_by, 'system'), seller_version = ${sellerVersion}
    where id = any(${sql.array([...orderIds], 'uuid')})`);
}
