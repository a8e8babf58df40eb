/** A connected account as the provider describes it. */
export interface AccountFacts {
  readonly chargesEnabled: boolean;
  readonly transfersActive: boolean;
  /** Why the provider disabled the account, in its words; null when it did not. */
  readonly disabledReason: string | null;
  /** Requirements that were not met in time, in the provider's words. */
  readonly pastDue: readonly string[];
}

/** The state of a connected account. */
export interface ProviderAccount {
  readonly id: string;
  readonly acceptsOrders: boolean;
  /** Why it accepts no orders, in the provider's words; empty while it does. */
  readonly reasons: readonly string[];
}

const unknown = 'account_unknown';

/** Whether the provider does not know an account. */
export const isUnknownAccount = ({ reasons }: ProviderAccount): boolean => reasons.includes(unknown);

/** Decides whether orders can be paid to an account. Null facts mean that the provider does not know the account. */
export function decideAccount(id: string, facts: AccountFacts | null): ProviderAccount {
  if (!facts) return { id, acceptsOrders: false, reasons: [unknown] };
  const { chargesEnabled, transfersActive, disabledReason, pastDue } = facts;
  if (chargesEnabled && transfersActive && !disabledReason) return { id, acceptsOrders: true, reasons: [] };
  const switches = [...(chargesEnabled ? [] : ['charges_disabled']), ...(transfersActive ? [] : ['transfers_inactive'])];
  return { id, acceptsOrders: false, reasons: [...new Set([...(disabledReason ? [disabledReason] : []), ...switches, ...pastDue])] };
}
