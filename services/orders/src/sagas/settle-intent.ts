import { continuing, inSpan } from '@corner/chassis';
import type { Context } from '../context.ts';
import type { OrderRow } from '../tables/orders.ts';
import { settleDisputes } from './settle-disputes.ts';
import { settlePayment } from './settle-payment.ts';
import { settleRefunds } from './settle-refunds.ts';

/** What is asked of an order's intent beside its payment. */
export interface AskedOf {
  readonly refunds: boolean;
  readonly disputes: boolean;
}

/**
 * Brings an order to the state of its payment at the provider, and of its refunds and disputes as far as they are asked for. Throws
 * PAYMENT_MISMATCH and PAYMENT_PROVIDER_ERROR.
 */
export async function settleIntent(context: Context, found: OrderRow, intentId: string, { refunds, disputes }: AskedOf): Promise<void> {
  // What the provider reports comes without a trace, so its effects belong to the order's own.
  await inSpan('settle payment', { parent: continuing(found.traceparent ?? undefined) }, async () => {
    // The payment first: events overtake each other, and only a paid order is refunded or disputed.
    const order = found.payment_status === 'paid' ? found : await settleUnpaid(context, found, intentId);
    if (order && refunds) await settleRefunds(context, order, intentId);
    if (order && disputes) await settleDisputes(context, order, intentId);
  });
}

/** Null when the provider does not know the intent. */
async function settleUnpaid(context: Context, order: OrderRow, intentId: string): Promise<OrderRow | null> {
  const intent = await context.payments.intent(intentId);
  return intent && (await settlePayment(context, order, intent));
}
