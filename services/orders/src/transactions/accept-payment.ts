import type { Queries } from '@corner/chassis';
import { collectionCodes } from '../crypto.ts';
import { mostLegs } from '../rules/basket.ts';
import { writeAcceptedPayment } from '../tables/accept-payment.ts';
import type { Charge } from '../tables/order-payments.ts';
import type { OrderRow } from '../tables/orders.ts';
import { paidEvents } from './paid-events.ts';

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
