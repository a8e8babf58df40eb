import { cameTooLate } from '../../order/rules/status.ts';
import type { ProviderOutcome } from '../../provider/rules.ts';
import { isFailed, type Priced, type StoredRefund, sumOf } from './amounts.ts';

interface RefundedOrder extends Priced {
  readonly version: number;
  readonly fully_refunded: boolean;
  readonly is_first: boolean | null;
  readonly payment_status: string;
  readonly promo_code: string | null;
}

export interface RefundedSums {
  readonly id: string;
  readonly version: number;
  readonly refunded_pence: number;
  readonly fully_refunded: boolean;
}

export interface OutcomeChange {
  readonly counted: boolean;
  /** How the sums change: 'added', 'removed', 'failed' before it was ever in them, or null when nothing is published. */
  readonly change: 'added' | 'removed' | 'failed' | null;
  readonly main: RefundedSums;
  readonly legs: readonly RefundedSums[];
  /** A full refund releases the promo code; when it fails, the code is used again. */
  readonly promo: 'release' | 'retake' | null;
}

/** Whether a provider's report changes nothing: it is recorded already, or the refund failed before, which is final. */
export const isRecorded = (refund: StoredRefund, outcome: ProviderOutcome): boolean =>
  isFailed(refund.status) || (refund.status === outcome.status && refund.provider_refund_id === outcome.id && refund.counted);

/**
 * Decides the changes by a provider's report of a refund; null when there are none. `refunds` are all of the payment, this one included. A
 * leg's sum counts the refunds made for that leg; when the order is refunded in full, so is each leg.
 */
export function decideOutcome(
  { main, legs }: { readonly main: RefundedOrder; readonly legs: readonly (Priced & { readonly version: number })[] },
  refunds: readonly StoredRefund[],
  refund: StoredRefund,
  outcome: ProviderOutcome,
): OutcomeChange | null {
  if (isRecorded(refund, outcome)) return null;
  const counted = !isFailed(outcome.status);
  const change = changeOf(refund.counted, counted);
  const inSums = refunds.filter((one) => (one.id === refund.id ? counted : one.counted));
  const refundedPence = sumOf(inSums);
  const isFull = change === 'added' ? refundedPence >= main.total_pence : change === 'removed' ? false : main.fully_refunded;
  return {
    counted,
    change,
    main: { id: main.id, version: main.version + (change ? 1 : 0), refunded_pence: refundedPence, fully_refunded: isFull },
    legs: legs.map(({ id, version, total_pence: total }) => {
      const own = isFull ? total : sumOf(inSums.filter(({ order_id }) => order_id === id));
      return { id, version, refunded_pence: own, fully_refunded: isFull || (total > 0 && own >= total) };
    }),
    promo: promoChange(main, isFull),
  };
}

function changeOf(before: boolean, now: boolean): OutcomeChange['change'] {
  if (before === now) return now ? null : 'failed';
  return now ? 'added' : 'removed';
}

/** An order whose payment came too late lost its promo code before any refund. */
function promoChange(order: RefundedOrder, isFull: boolean): OutcomeChange['promo'] {
  if (!order.promo_code || cameTooLate(order) || isFull === order.fully_refunded) return null;
  return isFull ? 'release' : 'retake';
}

export function movementOf(
  { amount_pence: pence, lines }: Pick<StoredRefund, 'amount_pence' | 'lines'>,
  change: OutcomeChange['change'],
): { readonly kind: 'refund' | 'refund_failed'; readonly amountPence: number } | null {
  if (pence === 0 && lines.length > 0) return null;
  if (change === 'added') return { kind: 'refund', amountPence: -pence };
  return change === 'removed' ? { kind: 'refund_failed', amountPence: pence } : null;
}

interface Credited {
  readonly amount_pence: number;
  readonly credit_note: number | null;
}

/**
 * Returns the number of a refund's credit note: the payment's next one when money is refunded for the first time. A failed refund keeps
 * its number.
 */
export function creditNoteOf(refund: Credited, refunds: readonly Credited[], change: OutcomeChange['change']): number | null {
  if (refund.credit_note !== null || change !== 'added' || refund.amount_pence === 0) return refund.credit_note;
  return 1 + Math.max(0, ...refunds.map(({ credit_note }) => credit_note ?? 0));
}

const titles = {
  added: 'The refund was accepted',
  removed: 'The refund failed at the payment provider; the customer does not get the money',
  failed: 'The refund failed at the payment provider; no money moved',
};

interface LoggedRefund extends StoredRefund {
  readonly store_id: string;
  readonly reason: string;
  readonly by_name: string | null;
}

export const logEntry = (refund: LoggedRefund, { failureReason }: ProviderOutcome, change: keyof typeof titles) => ({
  storeId: refund.store_id,
  orderId: refund.order_id,
  kind: change === 'added' ? 'refund_succeeded' : 'refund_failed',
  title: titles[change],
  detail: change === 'added' || !failureReason ? refund.reason : `${refund.reason} (${failureReason})`,
  actor: refund.by_name,
  amountPence: refund.amount_pence,
});

export const refundView = ({
  id,
  provider_refund_id,
  status,
  amount_pence,
}: Pick<StoredRefund, 'id' | 'provider_refund_id' | 'status' | 'amount_pence'>) => ({
  id: provider_refund_id ?? `rf_${id}`,
  status,
  amount: amount_pence,
});
