import Stripe from 'stripe';
import type { RunningPayments } from '../start-payments.ts';

/** Creates a Stripe SDK that calls the simulator. By default it does not retry, so that a test sees each response. */
export function stripeTo({ port }: RunningPayments, key = 'sk_test_corner', maxNetworkRetries = 0): Stripe {
  return new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries, timeout: 60_000, telemetry: false });
}

/** The destination charge of a shop: 10.00 with a fee of 0.33. */
export const order = {
  amount: 1_000,
  currency: 'gbp',
  application_fee_amount: 33,
  transfer_data: { destination: 'acct_shop' },
  transfer_group: 'order-1',
  metadata: { order_id: 'order-1' },
};

/** Returns the error with which Stripe refuses a request. Throws when the request succeeds. */
export async function refusal(request: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const outcome = await request.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Stripe.errors.StripeError) return outcome;
  throw new Error('The request was not refused.', { cause: outcome });
}

/** Creates an intent for {@link order}, with `changes`, and pays it. */
export async function paid(
  stripe: Stripe,
  changes: Partial<typeof order> = {},
  paymentMethod = 'pm_card_visa',
): Promise<Stripe.PaymentIntent> {
  const { id } = await stripe.paymentIntents.create({ ...order, ...changes });
  return stripe.paymentIntents.confirm(id, { payment_method: paymentMethod });
}
