import { type Intent, type PayableOrder, type PaymentState, type Payments, stateOf } from './provider.ts';

/** The cards of the simulator, which are Stripe's test cards: what each stands for, its end, and the payment method. */
export const testCards = [
  { name: 'success', last4: '4242', method: 'pm_card_visa' },
  { name: 'declined', last4: '0002', method: 'pm_card_visa_chargeDeclined' },
  { name: 'noFunds', last4: '9995', method: 'pm_card_visa_chargeDeclinedInsufficientFunds' },
  { name: 'asks', last4: '3184', method: 'pm_card_authenticationRequired' },
  { name: 'slow', last4: '0500', method: 'pm_card_processing' },
] as const;
type TestCard = (typeof testCards)[number];

/** Calls the simulator of the payment provider, as Stripe’s script calls Stripe. Each call returns the state after it; it rejects without a reply. */
export function sandboxProvider({ url, publishable_key }: Payments & { readonly kind: 'sandbox' }) {
  const call = async (order: PayableOrder, path: string, form?: Readonly<Record<string, string>>): Promise<PaymentState> => {
    const parameters = new URLSearchParams({ client_secret: order.client_secret, ...form });
    const address = `${url}/v1/payment_intents/${order.payment_intent_id}${path}`;
    const headers = { Authorization: `Bearer ${publishable_key}` };
    const response = form
      ? await fetch(address, { method: 'POST', headers, body: parameters })
      : await fetch(`${address}?${parameters}`, { headers });
    const body = (await response.json()) as Intent & { readonly error?: { readonly payment_intent?: Intent } };
    return stateOf(body.error?.payment_intent ?? body);
  };
  return {
    read: (order: PayableOrder) => call(order, ''),
    pay: (order: PayableOrder, card: TestCard) => call(order, '/confirm', { payment_method: card.method }),
    /** Ends the step at the bank that a payment waits for. */
    authenticate: (order: PayableOrder, outcome: 'succeeded' | 'failed') => call(order, '/authenticate', { outcome }),
  };
}
