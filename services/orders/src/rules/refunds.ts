import { Problem } from '@corner/contracts';

export interface Refundable {
  readonly payment_status: string;
  /** What was paid, of the whole order. */
  readonly total_pence: number;
  readonly disputed: boolean;
  readonly paidAt: Date | null;
  /** Sum and number of refunds that were not refused. */
  readonly reservedPence: number;
  readonly refunds: number;
  /** Of a leg: its own total less what was refunded of it. */
  readonly legRemainingPence?: number | undefined;
  readonly windowDays: number;
}

/** Refunds an order can have. */
const mostRefunds = 20;

/** The amount a refund comes to. Throws each refusal the contract names. */
export function decideRefund(order: Refundable, amountPence: number | null | undefined, at: Date): number {
  if (order.payment_status !== 'paid' || !order.paidAt) throw new Problem('ORDER_NOT_PAID');
  if (order.disputed) throw new Problem('ORDER_DISPUTED');
  if (at.getTime() > order.paidAt.getTime() + order.windowDays * 86_400_000) {
    throw new Problem('REFUND_WINDOW_EXPIRED', { message: `Orders can be refunded for ${order.windowDays} days after payment.` });
  }
  const remaining = Math.min(order.total_pence - order.reservedPence, order.legRemainingPence ?? Number.POSITIVE_INFINITY);
  if (order.total_pence === 0 && amountPence) {
    throw new Problem('REFUND_AMOUNT_EXCEEDS_REMAINING', {
      message: 'amount_pence: nothing was paid; leave it out to take back the stamps.',
    });
  }
  if ((remaining === 0 && order.total_pence > 0) || (order.total_pence === 0 && order.refunds > 0)) throw new Problem('ALREADY_REFUNDED');
  if (order.refunds >= mostRefunds) throw new Problem('REFUND_LIMIT_REACHED');
  const amount = amountPence ?? remaining;
  if (amount > remaining) {
    throw new Problem('REFUND_AMOUNT_EXCEEDS_REMAINING', { message: `amount_pence: ${remaining} pence are left to refund.` });
  }
  return amount;
}

/** What the provider made of a refund. */
export interface ProviderOutcome {
  readonly id: string;
  readonly status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';
}
