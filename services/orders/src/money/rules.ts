/** The kinds of rows of the ledger that the provider's balance has too. */
export type ComparedKind = 'charge' | 'refund' | 'refund_failed' | 'dispute' | 'dispute_returned' | 'transfer_reversal' | 'transfer';

/** A movement of the platform's balance that may concern an order, under the names that the ledger gives it. */
export interface Movement {
  readonly kind: ComparedKind;
  /** Together with the kind, the key of the ledger's row. */
  readonly provider_ref: string;
  /** Signed as in the ledger, in minor units. */
  readonly amount_pence: number;
  /** Upper case. */
  readonly currency: string;
  /** The intent or the order it belongs to, where the provider names it. */
  readonly intentId: string | null;
  readonly orderId: string | null;
  /** The charge that failed after it had succeeded, as a bank debit can for days; null for any other movement. */
  readonly failedCharge: string | null;
  /** What the provider keeps of a charge, in the currency of the movement; null when it is in another one, and for what is no charge. */
  readonly fee_pence: number | null;
}

/** Returns the fees that the provider has named, of charges by the ids of their intents. */
export const namedFees = (movements: readonly Movement[]) =>
  movements.flatMap(({ kind, provider_ref, fee_pence }) => (kind === 'charge' && fee_pence !== null ? [{ provider_ref, fee_pence }] : []));

/** A row of the ledger, by the same key. */
export interface Entered {
  readonly kind: string;
  readonly provider_ref: string;
  readonly amount_pence: number;
}

/** The key by which movements and the ledger's rows are compared. */
export const keyOf = ({ kind, provider_ref }: { readonly kind: string; readonly provider_ref: string }): string =>
  `${kind}:${provider_ref}`;

/** Returns the movements that the ledger does not have with the same amount. */
export function unmatched<M extends Entered>(movements: readonly M[], entered: readonly Entered[]): readonly M[] {
  const amounts = new Map(entered.map((row) => [keyOf(row), row.amount_pence]));
  return movements.filter((movement) => amounts.get(keyOf(movement)) !== movement.amount_pence);
}
