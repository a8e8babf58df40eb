import { lookedUp, settings } from './settings.js';

/** The tokens of a customer, Ana, and of a barista, Cy. A real app has those of its identity provider. */
export const demoTokens = { ana: lookedUp('ANA'), cy: lookedUp('CY') };

/** Pays with a test card. In a real app the payment sheet of Stripe's SDK does this, with the client_secret of the order. */
export async function payWithTestCard(paymentIntentId: string): Promise<void> {
  const response = await fetch(`${settings.payments}/v1/payment_intents/${paymentIntentId}/confirm`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${settings.paymentsKey}` },
    body: new URLSearchParams({ payment_method: 'pm_card_visa', return_url: 'https://example.com/return' }),
  });
  if (!response.ok) throw new Error(`The payment failed: ${await response.text()}`);
}
