import { formatMoney, Problem } from '@corner/contracts';
import { hasEndedInVain, type Priced, type RequestedLine, type StoredRefund } from './amounts.ts';

export interface AttemptName {
  readonly name: string;
  /** Whether the caller names each attempt. If not, the same name means a new attempt once the refund before it moved no money. */
  readonly isOwnId: boolean;
}

export function attemptOf<R extends StoredRefund>(
  { name, isOwnId }: AttemptName,
  { main, target, refunds }: { readonly main: Priced; readonly target: Priced; readonly refunds: readonly R[] },
): { readonly attempt: string; readonly existing: R | null } {
  for (let nth = 1; ; nth += 1) {
    const attempt = attemptKey(nth === 1 ? name : `${name}#${nth}`, target.id, main.id);
    const existing = refunds.find((refund) => refund.attempt === attempt) ?? null;
    if (!existing || isOwnId || !hasEndedInVain(existing)) return { attempt, existing };
  }
}

/** The key under which an attempt is stored with the payment; a leg's attempts have their own name space. */
export const attemptKey = (attempt: string, targetId: string, paymentOrderId: string): string =>
  targetId === paymentOrderId ? attempt : `${targetId}:${attempt}`;

/**
 * Refunds that this service owes: for payments that came during or after the end of an order, and for cancellations. They are requested
 * until made.
 */
export const owedAttempts = {
  tooLate: 'paid-too-late',
  whileCancelled: 'paid-while-cancelled',
  cancelledByCustomer: 'cancelled-by-customer',
  notAccepted: 'not-accepted',
  cancelledByStore: 'cancelled-by-store',
  deposit: 'deposit-returned',
} as const;

export const isOwedName = (name: string): boolean => Object.values<string>(owedAttempts).includes(name);

interface NamedAttempt {
  readonly attempt: string;
  readonly order_id: string;
  readonly payment_order_id: string;
}

/** Whether a refund is owed, so that a refusal of the provider does not end it. */
export const isOwed = (refund: NamedAttempt): boolean =>
  Object.keys(owedAttempts).some((owed) => isOwedFor(owed as keyof typeof owedAttempts, refund));

/** Whether a refund is owed for this cause. A retry after a failed one has a number added. */
export const isOwedFor = (owed: keyof typeof owedAttempts, { attempt, order_id, payment_order_id }: NamedAttempt): boolean =>
  attempt.replace(/#\d+$/, '') === attemptKey(owedAttempts[owed], order_id, payment_order_id);

/**
 * Whether a cancelled leg was refunded with its whole order: that refund belongs to the main order, and covers each part that was not
 * handed over, except a part whose own refund failed.
 */
export const isRefundedWithOrder = (
  leg: { readonly id: string; readonly business_status: string | null },
  refunds: readonly (StoredRefund & NamedAttempt)[],
): boolean =>
  leg.business_status === 'cancelled' &&
  refunds.some((refund) => refund.order_id === refund.payment_order_id && isOwed(refund) && !hasEndedInVain(refund)) &&
  !refunds.some((refund) => refund.order_id === leg.id && hasEndedInVain(refund));

export interface RequestedRefund {
  readonly amountPence: number | null;
  readonly lines: readonly RequestedLine[] | null;
}

/** Throws IDEMPOTENCY_KEY_REUSED when an attempt is repeated with other lines or another amount, or for all instead of an amount. */
export function checkRepeatedAttempt(
  { requested_pence: pence, lines }: Pick<StoredRefund, 'lines'> & { readonly requested_pence: number | null },
  requested: RequestedRefund,
  currency: string,
): void {
  const byLine = lines.length > 0;
  if (byLine ? areSameLines(lines, requested.lines ?? []) : requested.lines === null && requested.amountPence === pence) return;
  const before = byLine ? 'other lines' : pence === null ? 'all that remained' : formatMoney(pence, currency, 'en-GB');
  throw new Problem('IDEMPOTENCY_KEY_REUSED', {
    message: `${byLine || requested.lines ? 'lines' : 'amount_pence'}: this attempt was for ${before}; send a new refund_attempt_id for another refund.`,
  });
}

const areSameLines = (some: readonly RequestedLine[], others: readonly RequestedLine[]): boolean =>
  some.length === others.length &&
  some.every((line) =>
    others.some(({ position, quantity, restock }) => position === line.position && quantity === line.quantity && restock === line.restock),
  );
