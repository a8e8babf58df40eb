import type { Context } from '../context.ts';
import { isUnpaid } from '../rules/order-status.ts';
import type { Placed } from '../tables/checkout-data.ts';

/** What the payment sheet of the app needs; the secrets are null for an order that cannot be paid. */
export interface PaymentSheet {
  readonly isPayable: boolean;
  readonly clientSecret: string | null;
  readonly ephemeralKey: string | null;
}

/** Requests for an ephemeral key within this time get the same key. */
const keyWindowMs = 600_000;

/** Fetches the secrets of an order's payment sheet from the provider. They are fetched for each response and never stored. */
export async function fetchPaymentSheet(order: Placed, { payments, now }: Context): Promise<PaymentSheet> {
  const isPayable = order.total_pence > 0 && isUnpaid(order);
  if (!isPayable || !order.payment_intent_id || !order.payment_customer) return { isPayable, clientSecret: null, ephemeralKey: null };
  const [intent, ephemeralKey] = await Promise.all([
    payments.intent(order.payment_intent_id),
    payments.ephemeralKey(order.payment_customer, order.id, Math.floor(now().getTime() / keyWindowMs)),
  ]);
  return { isPayable, clientSecret: intent?.clientSecret ?? null, ephemeralKey };
}
