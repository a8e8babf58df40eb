import { continuing, inSpan } from '@corner/chassis';
import type { Context } from '../context.ts';
import { findOrderByIntent } from '../tables/orders.ts';
import { settleDisputes } from './settle-disputes.ts';
import { settlePayment } from './settle-payment.ts';
import { settleRefunds } from './settle-refunds.ts';

/**
 * Brings the order of an intent to the state of its payment at the provider, and of its refunds and disputes as far as they are asked for.
 * An intent without an order here is ignored. Throws PAYMENT_MISMATCH and PAYMENT_PROVIDER_ERROR.
 */
export async function settleIntent(
  context: Context,
  intentId: string,
  { refunds, disputes }: { readonly refunds: boolean; readonly disputes: boolean },
): Promise<void> {
  const found = await findOrderByIntent(context.database, intentId);
  const intent = found && (await context.payments.intent(intentId));
  if (!intent) return;
  // What the provider reports comes without a trace, so its effects belong to the order's own.
  await inSpan('settle payment', { parent: continuing(found.traceparent ?? undefined) }, async () => {
    // The payment first: events overtake each other, and only a paid order is refunded or disputed.
    const order = await settlePayment(context, found, intent);
    if (refunds) await settleRefunds(context, order, intentId);
    if (disputes) await settleDisputes(context, order, intentId);
  });
}
