export type ComparedKind = 'charge' | 'refund' | 'refund_failed' | 'dispute' | 'dispute_returned' | 'transfer_reversal' | 'transfer';

/**
 * A movement of the platform's balance that may concern an order, in the ledger's terms. `provider_ref` and the kind are the ledger row's
 * key. The amount is signed as in the ledger, in minor units; `currency` is upper case.
 */
export interface Movement {
  readonly kind: ComparedKind;
  readonly provider_ref: string;
  readonly amount_pence: number;
  readonly currency: string;
  readonly intentId: string | null;
  readonly orderId: string | null;
  /** The charge that failed after it had succeeded, as a bank debit can for days; null for any other movement. */
  readonly failedCharge: string | null;
  /** The provider's fee on a charge, in the currency of the movement; null when it is in another one, or this is no charge. */
  readonly fee_pence: number | null;
}

export const namedFees = (movements: readonly Movement[]) =>
  movements.flatMap(({ kind, provider_ref, fee_pence }) => (kind === 'charge' && fee_pence !== null ? [{ provider_ref, fee_pence }] : []));

export interface Entered {
  readonly kind: string;
  readonly provider_ref: string;
  readonly amount_pence: number;
}

export const keyOf = ({ kind, provider_ref }: { readonly kind: string; readonly provider_ref: string }): string =>
  `${kind}:${provider_ref}`;

export function unmatched<M extends Entered>(movements: readonly M[], entered: readonly Entered[]): readonly M[] {
  const amounts = new Map(entered.map((row) => [keyOf(row), row.amount_pence]));
  return movements.filter((movement) => amounts.get(keyOf(movement)) !== movement.amount_pence);
}
