import type { NoStampReason } from '@corner/contracts';
import { cameTooLate, isUnpaid } from '../../order/rules/status.ts';
import type { NoStampFacts, OrderStamps, RecordedOrder } from './facts.ts';

export interface EarnedStamps extends Omit<NoStampFacts, 'reason'> {
  readonly counting: number;
  readonly taken_back: number;
  readonly reason: NoStampReason | null;
}

/** Returns why an order earns no stamp whatever loyalty replies; null for one that a customer paid in time. */
export function unpaidReason(order: Pick<RecordedOrder, 'payment_status' | 'is_first' | 'without_customer'>): NoStampReason | null {
  if (order.payment_status !== 'paid') return isUnpaid(order) ? 'not_paid_yet' : 'never_paid';
  if (cameTooLate(order)) return 'paid_too_late';
  return order.without_customer ? 'no_customer' : null;
}

/** Returns what an order earned; null when only loyalty, which did not reply, knows it. */
export function earnedStamps(order: RecordedOrder, loyalty: OrderStamps | null): EarnedStamps | null {
  const unpaid = unpaidReason(order);
  if (unpaid) return { counting: 0, taken_back: 0, reason: unpaid, amount_pence: null };
  if (!loyalty) return null;
  const { award, stamps } = loyalty;
  const taken_back = stamps.filter(({ taken_back_at }) => taken_back_at !== null).length;
  const counting = stamps.length - taken_back;
  if (counting > 0) return { counting, taken_back, reason: null, amount_pence: null };
  if (taken_back > 0) return { counting, taken_back, reason: lossOf(loyalty), amount_pence: null };
  const decided = award ? (award.no_stamp?.reason ?? 'unknown') : 'on_its_way';
  return { counting, taken_back, reason: decided, amount_pence: award?.no_stamp?.min_spend_pence ?? null };
}

export const lossOf = ({ lost }: OrderStamps): NoStampReason => (lost ? 'dispute_lost' : 'refunded');
