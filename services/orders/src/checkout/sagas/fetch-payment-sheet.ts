import type { Context } from '../../context.ts';
import { askForExpiring } from '../../provider/sagas.ts';
import type { Placed } from '../tables/checkout-data.ts';

/** What the payment sheet of the app needs; the secrets are null for an order that cannot be paid. */
export interface PaymentSheet {
  readonly isPayable: boolean;
  readonly clientSecret: string | null;
  readonly ephemeralKey: string | null;
}

export const noSheet: PaymentSheet = { isPayable: false, clientSecret: null, ephemeralKey: null };

/** Fetches the secrets of the payment sheet of an order with an intent. They are fetched for each response and never stored. */
export async function fetchPaymentSheet(order: Placed, context: Context): Promise<PaymentSheet> {
  const { payment_intent_id: intentId, payment_customer: customer } = order;
  if (!intentId || !customer) return { ...noSheet, isPayable: true };
  const [intent, ephemeralKey] = await Promise.all([context.payments.intent(intentId), fetchEphemeralKey(context, order, customer)]);
  return { isPayable: true, clientSecret: intent?.clientSecret ?? null, ephemeralKey };
}

/**
 * Requests for an ephemeral key within this time get the same key. Windows are counted from the order's beginning, so that concurrent requests for a new
 * order never see two.
 */
const keyWindowMs = 600_000;

/** Has the provider create a key for the payment sheet. */
export const fetchEphemeralKey = (context: Context, { id, created_at, key_call }: Placed, customer: string): Promise<string> =>
  askForExpiring(context, {
    purpose: 'ephemeral_key',
    reference: id,
    // Another process's clock may be behind the one that placed the order.
    keyName: `ek:${id}:${Math.max(0, Math.floor((context.now().getTime() - Date.parse(created_at)) / keyWindowMs))}`,
    latest: key_call,
    make: (key) => context.payments.ephemeralKey(customer, key),
  });
