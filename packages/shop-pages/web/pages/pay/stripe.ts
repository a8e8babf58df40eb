import { type Intent, type PayableOrder, type PaymentState, stateOf } from './provider.ts';

export interface Stripe {
  elements(options: object): StripeElements;
  confirmPayment(options: object): Promise<{ readonly error?: StripeError; readonly paymentIntent?: Intent }>;
  retrievePaymentIntent(clientSecret: string): Promise<{ readonly error?: StripeError; readonly paymentIntent?: Intent }>;
}
export interface StripeElements {
  create(type: 'payment', options?: object): { mount(element: HTMLElement): void; on(event: string, listener: () => void): void };
  update(options: object): void;
}
interface StripeError {
  readonly type: string;
  readonly payment_intent?: Intent;
}

let loading: Promise<Stripe> | undefined;

/** Loads Stripe’s script, once; only a page that takes a payment calls it. Rejects when it cannot be loaded; the next call tries again. */
export async function loadStripe(publishableKey: string): Promise<Stripe> {
  loading ??= new Promise<Stripe>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = 'https://js.stripe.com/v3/';
    script.onload = () => resolve((globalThis as unknown as { Stripe(key: string): Stripe }).Stripe(publishableKey));
    script.onerror = () => reject(new Error('the payment provider’s script could not be loaded'));
    document.head.append(script);
  });
  loading.catch(() => {
    loading = undefined;
  });
  return await loading;
}

export async function readAtStripe(stripe: Stripe, order: PayableOrder): Promise<PaymentState> {
  const { paymentIntent, error } = await stripe.retrievePaymentIntent(order.client_secret);
  return stateOf(paymentIntent ?? error?.payment_intent ?? {});
}

/**
 * A bank asks the customer over the page, or on a page of its own that returns to this address. Returns null when a field is not filled in
 * correctly: the form says which.
 */
export async function payAtStripe(stripe: Stripe, elements: StripeElements): Promise<PaymentState | null> {
  const confirmParams = { return_url: location.href };
  const { paymentIntent, error } = await stripe.confirmPayment({ elements, confirmParams, redirect: 'if_required' });
  if (error?.type === 'validation_error') return null;
  return stateOf(paymentIntent ?? error?.payment_intent ?? {});
}
