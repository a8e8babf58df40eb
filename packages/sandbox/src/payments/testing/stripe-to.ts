import Stripe from 'stripe';
import type { RunningPayments } from '../start-payments.ts';

export function stripeTo({ port }: RunningPayments, key = 'sk_test_corner', maxNetworkRetries = 0): Stripe {
  return new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries, timeout: 60_000, telemetry: false });
}

export const order = {
  amount: 1_000,
  currency: 'gbp',
  application_fee_amount: 33,
  transfer_data: { destination: 'acct_shop' },
  transfer_group: 'order-1',
  metadata: { order_id: 'order-1' },
};

export async function refusal(request: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const outcome = await request.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Stripe.errors.StripeError) return outcome;
  throw new Error('The request was not refused.', { cause: outcome });
}

export async function paid(
  stripe: Stripe,
  changes: Partial<typeof order> = {},
  paymentMethod = 'pm_card_visa',
): Promise<Stripe.PaymentIntent> {
  const { id } = await stripe.paymentIntents.create({ ...order, ...changes });
  return stripe.paymentIntents.confirm(id, { payment_method: paymentMethod });
}
