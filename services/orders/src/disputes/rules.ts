/** A movement of the platform's balance for a dispute, as the provider reports it. */
export interface DisputeMovement {
  readonly id: string;
  /** Negative when money was withdrawn, positive when it was returned. */
  readonly amountPence: number;
  /** What the provider keeps; negative when it returns a fee. */
  readonly feePence: number;
  /** Upper case. */
  readonly currency: string;
}

/** A dispute as the provider reports it. */
export interface ProviderDispute {
  readonly id: string;
  /** Null for an inquiry, and for what was prevented at no cost: the bank has withdrawn nothing. */
  readonly state: 'opened' | 'won' | 'lost' | null;
  readonly reason: string | null;
  readonly amountPence: number;
  /** Upper case. */
  readonly currency: string;
  readonly evidenceDueBy: Date | null;
  readonly awaitsEvidence: boolean;
  readonly chargeId: string | null;
  readonly movements: readonly DisputeMovement[];
}

/** The provider's states of a dispute. */
export const knownDisputeStates = [
  ...(['warning_needs_response', 'warning_under_review', 'warning_closed', 'needs_response', 'under_review', 'prevented'] as const),
  ...(['appeal_needs_response', 'appeal_under_review', 'won', 'lost'] as const),
];
type DisputeStatus = (typeof knownDisputeStates)[number];

/**
 * Decides what a dispute is: what the bank has decided, else by the money that it has moved, and only before any has moved by its status.
 * One that was prevented with its money withdrawn is over, and the customer has the money. An appeal is a dispute that is open again.
 * A null status is one that is not known here.
 */
export function disputeState(status: DisputeStatus | null, movements: readonly DisputeMovement[]): ProviderDispute['state'] {
  if (status === 'won' || status === 'lost') return status;
  const takenPence = -movements.reduce((sum, { amountPence }) => sum + amountPence, 0);
  if (takenPence > 0) return status === 'prevented' ? 'lost' : 'opened';
  if (movements.length > 0) return 'won';
  return status === 'needs_response' || status === 'under_review' ? 'opened' : null;
}

/** The reason of what is no dispute at the provider: the bank took back a payment that had succeeded. */
export const failedPayment = 'payment_failed';

/** A row of the ledger for a movement. */
export interface LedgerEntry {
  readonly kind: 'dispute' | 'dispute_returned' | 'dispute_fee';
  readonly provider_ref: string;
  readonly amount_pence: number;
  readonly currency: string;
}

/** The ledger's rows for the movements of a dispute: the amount, and the fee when there is one. */
export const ledgerOfDispute = ({ movements }: ProviderDispute): readonly LedgerEntry[] =>
  movements.flatMap(({ id, amountPence, feePence, currency }) => [
    { kind: amountPence < 0 ? ('dispute' as const) : ('dispute_returned' as const), provider_ref: id, amount_pence: amountPence, currency },
    ...(feePence === 0 ? [] : [{ kind: 'dispute_fee' as const, provider_ref: id, amount_pence: -feePence, currency }]),
  ]);

/** Input of {@link storeShare}, in minor units. */
export interface ShareInput {
  readonly disputedPence: number;
  readonly paidPence: number;
  /** The platform's fee on the whole payment. */
  readonly feePence: number;
  /** How much of the payment the store has borne already: by refunds, failed ones included, and by other disputes. */
  readonly coveredPence: number;
  /** What is left of the transfer to reverse. */
  readonly leftOfTransferPence: number;
  /** The smallest step of an amount in the currency. */
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

/** The next movement of the store's share. */
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
