import { type Intent, type PayableOrder, type PaymentState, type Payments, stateOf } from './provider.ts';

export const testCards = [
  { name: 'success', last4: '4242', method: 'pm_card_visa' },
  { name: 'declined', last4: '0002', method: 'pm_card_visa_chargeDeclined' },
  { name: 'noFunds', last4: '9995', method: 'pm_card_visa_chargeDeclinedInsufficientFunds' },
  { name: 'asks', last4: '3184', method: 'pm_card_authenticationRequired' },
  { name: 'slow', last4: '0500', method: 'pm_card_processing' },
] as const;
type TestCard = (typeof testCards)[number];

export function sandboxProvider({ url, publishable_key }: Payments & { readonly kind: 'sandbox' }) {
  const call = async (path: string, body?: URLSearchParams): Promise<PaymentState> => {
    const headers = { Authorization: `Bearer ${publishable_key}`, Accept: 'application/json' };
    const response = await fetch(`${url}${path}`, { headers, ...(body && { method: 'POST', body }) });
    const reply = (await response.json()) as Intent & { readonly error?: { readonly payment_intent?: Intent } };
    return stateOf(reply.error?.payment_intent ?? reply);
  };
  const intentOf = ({ payment_intent_id }: PayableOrder) => `/v1/payment_intents/${payment_intent_id}`;
  return {
    read: (order: PayableOrder) => call(`${intentOf(order)}?${secretOf(order)}`),
    pay: (order: PayableOrder, card: TestCard) => call(`${intentOf(order)}/confirm`, secretOf(order, { payment_method: card.method })),
    authenticate: (order: PayableOrder, outcome: 'succeeded' | 'failed') =>
      call(`/authenticate/${order.payment_intent_id}?${secretOf(order)}`, new URLSearchParams({ outcome })),
  };
}

const secretOf = ({ client_secret }: PayableOrder, more?: Readonly<Record<string, string>>) =>
  new URLSearchParams({ client_secret, ...more });
