import Stripe from 'stripe';
import { calling } from '../provider/adapters.ts';
import { decideAccount, type ProviderAccount } from './rules.ts';

/** The stores' accounts at the payment provider. */
export interface Accounts {
  /** Reads one account. An account that is unknown, or not connected to the platform, accepts no orders. */
  account(accountId: string): Promise<ProviderAccount>;
  /** Reads all accounts that are connected to the platform. */
  connectedAccounts(): Promise<readonly ProviderAccount[]>;
}

export const createAccounts = (stripe: Stripe): Accounts => ({
  account: (accountId) =>
    calling(async () => {
      try {
        return stateOf(await stripe.accounts.retrieve(accountId));
      } catch (error) {
        if (isUnknown(error)) return decideAccount(accountId, null);
        throw error;
      }
    }),
  connectedAccounts: () =>
    calling(async () => {
      const found: ProviderAccount[] = [];
      for await (const account of stripe.accounts.list({ limit: 100 })) found.push(stateOf(account));
      return found;
    }),
});

const stateOf = ({ id, charges_enabled, capabilities, requirements }: Stripe.Account): ProviderAccount =>
  decideAccount(id, {
    chargesEnabled: charges_enabled,
    transfersActive: capabilities?.transfers === 'active',
    disabledReason: requirements?.disabled_reason ?? null,
    pastDue: requirements?.past_due ?? [],
  });

/** The provider returns 404 or 403 for an account that does not exist, or that is connected to another platform. */
const isUnknown = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && (error.statusCode === 404 || error.statusCode === 403);
