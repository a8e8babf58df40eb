import { continuing, inSpan } from '@corner/chassis';
import type { Context } from '../../context.ts';
import { settleDisputes } from '../../disputes/index.ts';
import type { OrderRow } from '../../order/tables/orders.ts';
import { settleRefunds } from '../../refunds/index.ts';
import type { Settled } from './settle-payment.ts';
import { settleUnpaid } from './settle-unpaid.ts';

/** What is asked of an order's intent beside its payment. */
interface AskedOf {
  readonly refunds: boolean;
  readonly disputes: boolean;
  /** The provider's event because of which it is asked; null for none. */
  readonly eventId: string | null;
}

/**
 * Brings an order to the state of its payment at the provider, and of its refunds and disputes as far as they are asked for. Returns
 * whether the event was marked as processed with it. Throws PAYMENT_MISMATCH and PAYMENT_PROVIDER_ERROR.
 */
export async function settleIntent(context: Context, found: OrderRow, intentId: string, asked: AskedOf): Promise<boolean> {
  const { refunds, disputes, eventId } = asked;
  const isMore = refunds || disputes;
  // What the provider reports comes without a trace, so its effects belong to the order's own.
  return await inSpan('settle payment', { parent: continuing(found.traceparent ?? undefined) }, async () => {
    // The payment first: events overtake each other, and only a paid order is refunded or disputed.
    const settled = await settleOnce(context, found, intentId, isMore ? null : eventId);
    if (settled && refunds) await settleRefunds(context, settled.order, intentId);
    if (settled && disputes) await settleDisputes(context, settled.order, intentId);
    return settled?.processed ?? false;
  });
}

/** A paid order stays paid, so the provider is not asked. Null when the provider does not know the intent. */
const settleOnce = async (context: Context, order: OrderRow, intentId: string, eventId: string | null): Promise<Settled | null> =>
  order.payment_status === 'paid' ? { order, processed: false } : await settleUnpaid(context, order, intentId, eventId);
