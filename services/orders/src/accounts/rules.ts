/** A connected account as the provider describes it. */
export interface AccountFacts {
  readonly chargesEnabled: boolean;
  readonly transfersActive: boolean;
  /** Why the provider disabled the account, in its words; null when it did not. */
  readonly disabledReason: string | null;
  readonly detailsSubmitted: boolean;
  readonly payoutsEnabled: boolean;
  /** Requirements to meet now, and those of them that were not met in time, in the provider's words. */
  readonly currentlyDue: readonly string[];
  readonly pastDue: readonly string[];
  /** By when they are to be met; null when the provider names no time. */
  readonly dueBy: Date | null;
}

/** The state of a connected account. */
export interface ProviderAccount {
  readonly id: string;
  readonly acceptsOrders: boolean;
  /** Whether it accepts those that are charged in the platform's name, not in the store's: they need its transfers alone. */
  readonly takesTransfers: boolean;
  /** Why it accepts no orders, in the provider's words; empty while it does. */
  readonly reasons: readonly string[];
  /** Null for an account that the provider does not know. */
  readonly facts: AccountFacts | null;
}

const unknown = 'account_unknown';

/** Whether the provider does not know an account. */
export const isUnknownAccount = ({ reasons }: ProviderAccount): boolean => reasons.includes(unknown);

/** An account of the provider's other mode. Its id is not sent to the provider, which knows it in that mode alone. */
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

/** The countries in which the provider opens accounts, ISO 3166-1. */
const countries =
  'AE AT AU BE BG BR CA CH CY CZ DE DK EE ES FI FR GB GI GR HK HR HU IE IT JP LI LT LU LV MT MX MY NL NO NZ PL PT RO SE SG SI SK TH US'.split(
    ' ',
  );

/** Returns the country that a time zone belongs to, ISO 3166-1; null when the provider opens no accounts there. */
export const countryOf = (timeZone: string): string | null =>
  countries.find((region) => (new Intl.Locale('und', { region }) as LocaleWithZones).getTimeZones().includes(timeZone)) ?? null;

/** TypeScript's library lacks the method, which is part of ECMA-402 since 2025. */
type LocaleWithZones = Intl.Locale & { getTimeZones(): readonly string[] };

/** Returns the domain of the shop's pages that the provider can register; null for an address that only this machine or network reaches. */
export function domainOf(shopUrl: string | undefined): string | null {
  const { protocol, hostname } = new URL(shopUrl ?? 'http://localhost');
  // The last part of an IP address begins with a digit.
  return protocol === 'https:' && /\.[a-z][a-z0-9-]*$/.test(hostname) && !hostname.endsWith('.localhost') ? hostname : null;
}
