/** A connected account as the provider describes it. Requirements and reasons are in its words; null where it names none. */
export interface AccountFacts {
  readonly chargesEnabled: boolean;
  readonly transfersActive: boolean;
  readonly disabledReason: string | null;
  readonly detailsSubmitted: boolean;
  readonly payoutsEnabled: boolean;
  readonly currentlyDue: readonly string[];
  readonly pastDue: readonly string[];
  readonly dueBy: Date | null;
}

/**
 * The state of a connected account. Accounts that the platform charges in its own name need transfers alone. `reasons` say why it accepts
 * no orders, in the provider's words. `facts` is null for an account that the provider does not know.
 */
export interface ProviderAccount {
  readonly id: string;
  readonly acceptsOrders: boolean;
  readonly takesTransfers: boolean;
  readonly reasons: readonly string[];
  readonly facts: AccountFacts | null;
}

const unknown = 'account_unknown';

export const isUnknownAccount = ({ reasons }: ProviderAccount): boolean => reasons.includes(unknown);

export const accountOfOtherMode = (id: string): ProviderAccount => ({
  id,
  acceptsOrders: false,
  takesTransfers: false,
  reasons: ['account_of_other_mode'],
  facts: null,
});

/** Decides whether orders can be paid to an account. Null facts mean that the provider does not know the account. */
export function decideAccount(id: string, facts: AccountFacts | null): ProviderAccount {
  if (!facts) return { id, acceptsOrders: false, takesTransfers: false, reasons: [unknown], facts };
  const { chargesEnabled, transfersActive, disabledReason, pastDue } = facts;
  const takesTransfers = transfersActive && !disabledReason;
  if (chargesEnabled && takesTransfers) return { id, acceptsOrders: true, takesTransfers, reasons: [], facts };
  const switches = [...(chargesEnabled ? [] : ['charges_disabled']), ...(transfersActive ? [] : ['transfers_inactive'])];
  const reasons = [...new Set([...(disabledReason ? [disabledReason] : []), ...switches, ...pastDue])];
  return { id, acceptsOrders: false, takesTransfers, reasons, facts };
}

const countries =
  'AE AT AU BE BG BR CA CH CY CZ DE DK EE ES FI FR GB GI GR HK HR HU IE IT JP LI LT LU LV MT MX MY NL NO NZ PL PT RO SE SG SI SK TH US'.split(
    ' ',
  );

export const countryOf = (timeZone: string): string | null =>
  countries.find((region) => (new Intl.Locale('und', { region }) as LocaleWithZones).getTimeZones().includes(timeZone)) ?? null;

/** TypeScript's library lacks the method, which is part of ECMA-402 since 2025. */
type LocaleWithZones = Intl.Locale & { getTimeZones(): readonly string[] };

/**
 * Returns the domain of the shop's pages that the provider can register; null for an address that only this machine or network can reach.
 */
export function domainOf(shopUrl: string | undefined): string | null {
  const { protocol, hostname } = new URL(shopUrl ?? 'http://localhost');
  // The last part of an IP address begins with a digit.
  return protocol === 'https:' && /\.[a-z][a-z0-9-]*$/.test(hostname) && !hostname.endsWith('.localhost') ? hostname : null;
}
