import { crashPoint } from '@corner/chassis';
import type { Context } from '../../context.ts';
import type { OrderRow } from '../../order/tables/orders.ts';
import { type Settled, settleReported } from './settle-payment.ts';

/** An order after its payment was settled, and the status of its intent at the provider. */
export interface SettledIntent extends Settled {
  readonly intentStatus: string;
}

/**
 * Asks the provider for the intent of an unpaid order, and brings the order to its state. Null when the provider does not know the intent.
 * Throws PAYMENT_MISMATCH and PAYMENT_PROVIDER_ERROR.
 *
 * The webhook and the confirmation of a payment often come at once. The second one in this process waits for the first, and is done when
 * the order is paid, because that is final. After any other result it asks the provider itself: the first may have asked too early.
 * Across processes the statement that marks the order paid decides.
 */
export async function settleUnpaid(
  context: Context,
  order: OrderRow,
  intentId: string,
  eventId: string | null,
): Promise<SettledIntent | null> {
  const first = context.settling.get(intentId) as Promise<SettledIntent | null> | undefined;
  if (first !== undefined) {
    const settled = await first.catch(() => null);
    return settled?.order.payment_status === 'paid' ? { ...settled, processed: false } : await settle(context, order, intentId, eventId);
  }
  const own = settle(context, order, intentId, eventId);
  context.settling.set(intentId, own);
  try {
    return await own;
  } finally {
    context.settling.delete(intentId);
  }
}

async function settle(context: Context, order: OrderRow, intentId: string, eventId: string | null): Promise<SettledIntent | null> {
  const intent = await context.payments.intent(intentId);
  if (!intent) return null;
  crashPoint('orders.payment.after-retrieve');
  return { ...(await settleReported(context, order, intent, eventId)), intentStatus: intent.status };
}
