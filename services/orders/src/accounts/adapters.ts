import Stripe from 'stripe';
import { z } from 'zod';
import type { KnownState } from '../provider/adapters/states.ts';
import { calling } from '../provider/adapters.ts';
import { decideAccount, type ProviderAccount } from './rules.ts';

/** The account to open for a store. `country` is ISO 3166-1. */
export interface NewAccount {
  readonly storeId: string;
  readonly name: string;
  readonly email: string;
  readonly country: string;
}

/** Where the provider sends an owner: after its page, and when the link to that page has expired. */
export interface ReturnPages {
  readonly returnUrl: string;
  readonly refreshUrl: string;
}

export interface Accounts {
  openAccount(account: NewAccount, key: string): Promise<{ readonly id: string }>;
  findAccountOf(storeId: string): Promise<{ readonly id: string } | null>;
  /** Makes an address of the provider's page for an account. It works once and is never stored. */
  onboardingLink(accountId: string, pages: ReturnPages): Promise<{ readonly url: string; readonly expiresAt: string }>;
  account(accountId: string): Promise<ProviderAccount>;
  connectedAccounts(): Promise<readonly ProviderAccount[]>;
}

const mostAccounts = 10_000;

/**
 * Accounts are opened with Accounts v2, which a platform of today must use, and read as Accounts v1 shows them, as before: every id is good
 * for both. `card_payments` is for charges in the store's name, `stripe_transfers` for destination charges.
 */
export const createAccounts = (stripe: Stripe, known: KnownState): Accounts => ({
  openAccount: ({ storeId, name, email, country }, idempotencyKey) =>
    calling(async () => {
      const created = await stripe.v2.core.accounts.create(
        {
          contact_email: email,
          display_name: name,
          dashboard: 'express',
          identity: { country: country.toLowerCase() },
          defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
          configuration: {
            merchant: { capabilities: { card_payments: { requested: true } } },
            recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
          },
          metadata: { store_id: storeId },
        },
        { idempotencyKey },
      );
      return z.object({ id: z.string() }).parse(created);
    }),
  findAccountOf: (storeId) =>
    calling(async () => {
      const listed = Opened.parse(await stripe.v2.core.accounts.list({ limit: 100 }).autoPagingToArray({ limit: mostAccounts }));
      const [found] = listed.filter(({ metadata }) => metadata?.store_id === storeId).sort((a, b) => a.created.localeCompare(b.created));
      return found ? { id: found.id } : null;
    }),
  onboardingLink: (account, { returnUrl, refreshUrl }) =>
    calling(async () => {
      const link = await stripe.v2.core.accountLinks.create({
        account,
        use_case: { type: 'account_onboarding', account_onboarding: { return_url: returnUrl, refresh_url: refreshUrl } },
      });
      const { url, expires_at: expiresAt } = z.object({ url: z.string(), expires_at: z.string() }).parse(link);
      return { url, expiresAt };
    }),
  account: (accountId) =>
    calling(async () => {
      try {
        return stateOf(await stripe.accounts.retrieve(accountId), known);
      } catch (error) {
        if (isUnknown(error)) return decideAccount(accountId, null);
        throw error;
      }
    }),
  connectedAccounts: () =>
    calling(async () => {
      const found: ProviderAccount[] = [];
      for await (const account of stripe.accounts.list({ limit: 100 })) found.push(stateOf(account, known));
      return found;
    }),
});

const Opened = z.array(z.object({ id: z.string(), created: z.string(), metadata: z.record(z.string(), z.string()).nullish() }));
const Account = z.object({
  id: z.string(),
  capabilities: z.object({ transfers: z.string().nullish() }).nullish(),
  charges_enabled: z.boolean(),
  details_submitted: z.boolean(),
  payouts_enabled: z.boolean(),
  requirements: z
    .object({
      disabled_reason: z.string().nullish(),
      currently_due: z.array(z.string()).nullish(),
      past_due: z.array(z.string()).nullish(),
      current_deadline: z.int().nullish(),
    })
    .nullish(),
});
const capabilityStates = ['active', 'inactive', 'pending', 'disabled', 'unrequested'] as const;

/** A capability in a state that is unknown here is not active: a payment could take the customer's money and not reach the store. */
function stateOf(listed: Stripe.Account, known: KnownState): ProviderAccount {
  const { id, capabilities, requirements, ...account } = Account.parse(listed);
  return decideAccount(id, {
    chargesEnabled: account.charges_enabled,
    transfersActive: known('capability', capabilityStates, capabilities?.transfers ?? 'unrequested') === 'active',
    disabledReason: requirements?.disabled_reason ?? null,
    detailsSubmitted: account.details_submitted,
    payoutsEnabled: account.payouts_enabled,
    currentlyDue: requirements?.currently_due ?? [],
    pastDue: requirements?.past_due ?? [],
    dueBy: requirements?.current_deadline ? new Date(requirements.current_deadline * 1000) : null,
  });
}

/** The provider returns 404 or 403 for an account that does not exist, or that is connected to another platform. */
const isUnknown = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && (error.statusCode === 404 || error.statusCode === 403);
