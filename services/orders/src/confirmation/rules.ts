interface OrderToPay {
  readonly id: string;
  readonly payment_intent_id: string | null;
  readonly total_pence: number;
  readonly currency: string;
  readonly connected_account_id: string;
}

interface PaymentIntent {
  readonly id: string;
  readonly orderId: string | null;
  readonly amountPence: number;
  readonly currency: string;
  readonly destination: string | null;
}

export function paymentMismatch(order: OrderToPay, intent: PaymentIntent): string | null {
  if (intent.orderId !== order.id) return 'it belongs to another order';
  if (order.payment_intent_id && intent.id !== order.payment_intent_id) return 'the order has another payment';
  if (intent.amountPence !== order.total_pence) return 'the amount differs';
  if (intent.currency !== order.currency) return 'the currency differs';
  if (intent.destination !== order.connected_account_id) return 'the destination differs';
  return null;
}
