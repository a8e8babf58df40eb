/** Pays an order with a test card of the payment simulator. A real shop shows Stripe's payment sheet with the same `client_secret`. */
export async function payWithTestCard(payments: string, intent: string, client_secret: string, card: string): Promise<boolean> {
  const response = await fetch(`${payments}/v1/payment_intents/${intent}/confirm`, {
    method: 'POST',
    headers: { Authorization: 'Bearer pk_test_corner', Accept: 'application/json' },
    body: new URLSearchParams({ client_secret, payment_method: card }),
  });
  const { status } = (await response.json()) as { readonly status?: string };
  return status === 'succeeded';
}

export const testCards = { 'Pay by card': 'pm_card_visa', 'Pay by a card that is declined': 'pm_card_visa_chargeDeclined' } as const;
