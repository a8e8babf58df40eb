/**
 * A movement of the platform's balance for a dispute. The amount is negative when money was withdrawn; the fee is negative when the
 * provider returned it. `currency` is upper case.
 */
export interface DisputeMovement {
  readonly id: string;
  readonly amountPence: number;
  readonly feePence: number;
  readonly currency: string;
}

export interface ProviderDispute {
  readonly id: string;
  /** Null for an inquiry, or a dispute prevented at no cost: the bank has withdrawn nothing. */
  readonly state: 'opened' | 'won' | 'lost' | null;
  readonly reason: string | null;
  readonly amountPence: number;
  readonly currency: string;
  readonly evidenceDueBy: Date | null;
  readonly awaitsEvidence: boolean;
  readonly chargeId: string | null;
  readonly movements: readonly DisputeMovement[];
}

export const knownDisputeStates = [
  ...(['warning_needs_response', 'warning_under_review', 'warning_closed', 'needs_response', 'under_review', 'prevented'] as const),
  ...(['appeal_needs_response', 'appeal_under_review', 'won', 'lost'] as const),
];
type DisputeStatus = (typeof knownDisputeStates)[number];

/**
 * Decides the state of a dispute: by the bank's decision, else by the money moved, and before any has moved by its status. A dispute
 * prevented with its money withdrawn is over, and the customer has the money. An appeal is an open dispute. A null status is unknown here.
 */
export function disputeState(status: DisputeStatus | null, movements: readonly DisputeMovement[]): ProviderDispute['state'] {
  if (status === 'won' || status === 'lost') return status;
  const takenPence = -movements.reduce((sum, { amountPence }) => sum + amountPence, 0);
  if (takenPence > 0) return status === 'prevented' ? 'lost' : 'opened';
  if (movements.length > 0) return 'won';
  return status === 'needs_response' || status === 'under_review' ? 'opened' : null;
}

export const failedPayment = 'payment_failed';

export interface LedgerEntry {
  readonly kind: 'dispute' | 'dispute_returned' | 'dispute_fee';
  readonly provider_ref: string;
  readonly amount_pence: number;
  readonly currency: string;
}

export const ledgerOfDispute = ({ movements }: ProviderDispute): readonly LedgerEntry[] =>
  movements.flatMap(({ id, amountPence, feePence, currency }) => [
    { kind: amountPence < 0 ? ('dispute' as const) : ('dispute_returned' as const), provider_ref: id, amount_pence: amountPence, currency },
    ...(feePence === 0 ? [] : [{ kind: 'dispute_fee' as const, provider_ref: id, amount_pence: -feePence, currency }]),
  ]);

/**
 * In minor units. `feePence` is the platform's fee on the whole payment. `coveredPence` is the part already charged to the store by
 * refunds, failed ones included, and other disputes. `step` is the smallest amount in the currency.
 */
export interface ShareInput {
  readonly disputedPence: number;
  readonly paidPence: number;
  readonly feePence: number;
  readonly coveredPence: number;
  readonly leftOfTransferPence: number;
  readonly step: number;
}

/**
 * Returns the store's share of a disputed amount: the amount less the platform's fee on it. The fee is split by running totals, so parts
 * that add up to the whole payment take exactly the whole fee.
 */
export function storeShare({ disputedPence, paidPence, feePence, coveredPence, leftOfTransferPence, step }: ShareInput): number {
  const before = Math.min(coveredPence, paidPence);
  const after = Math.min(before + disputedPence, paidPence);
  const feeOf = (pence: number) => Math.round((feePence * pence) / paidPence);
  const share = after - before - (feeOf(after) - feeOf(before));
  return Math.floor(Math.max(0, Math.min(share, leftOfTransferPence)) / step) * step;
}

export type ShareStep = 'reverse' | 'repay' | null;

interface DisputedShare {
  readonly state: 'opened' | 'won' | 'lost';
  readonly borne_by: 'store' | 'platform';
  readonly share_pence: number | null;
  readonly reversal_id: string | null;
  readonly repayment_id: string | null;
}

/**
 * Decides the next movement of the store's share; null for none. A reversal may have happened although its response was lost. So a dispute
 * that is won first completes the reversal, then repays it.
 */
export function shareStep({ state, borne_by, share_pence, reversal_id, repayment_id }: DisputedShare): ShareStep {
  if (borne_by === 'platform' || share_pence === 0) return null;
  if (state === 'won') {
    if (share_pence === null || repayment_id) return null;
    return reversal_id ? 'repay' : 'reverse';
  }
  return reversal_id ? null : 'reverse';
}

/** Milliseconds until a failed movement is tried again: a minute, doubled with each failure, six hours at most. */
export const shareRetryMs = (failures: number): number => Math.min(60_000 * 2 ** (failures - 1), 6 * 3_600_000);
