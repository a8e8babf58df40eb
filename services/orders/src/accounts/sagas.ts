import { isDeepStrictEqual } from 'node:util';
import { Problem } from '@corner/contracts';
import { accountKey, Declined } from '../provider/rules.ts';
import { askUnrecorded } from '../provider/sagas.ts';
import type { ReturnPages } from './adapters.ts';
import type { AccountsContext } from './context.ts';
import { accountOfOtherMode, countryOf, isUnknownAccount, type ProviderAccount } from './rules.ts';
import { findAccount, findAccountOfStore, findAccounts, findUnseenAccounts, type StoredAccount } from './tables.ts';
import { recordAccount, recordOpened } from './transactions.ts';

export interface Owner {
  readonly email: string | undefined;
  readonly country: string | undefined;
}

/**
 * Returns an address of the provider's page where the owner of a store opens its account or meets its requirements. The account is opened
 * first if the store has none in this mode. Throws STORE_NOT_FOUND, VALIDATION_FAILED and PAYMENT_PROVIDER_ERROR.
 */
export async function linkAccount(context: AccountsContext, storeId: string, owner: Owner, pages: ReturnPages) {
  try {
    return await context.accounts.onboardingLink(await accountToLink(context, storeId, owner), pages);
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    throw new Problem('PAYMENT_PROVIDER_ERROR', { message: `The payment provider declined it: ${error.message}`, cause: error });
  }
}

/** A named account that the provider does not know cannot be linked: the store's opened account is used instead. */
async function accountToLink(context: AccountsContext, storeId: string, owner: Owner): Promise<string> {
  const store = await findAccountOfStore(context.database, storeId, context.mode);
  if (!store) throw new Problem('STORE_NOT_FOUND');
  const { named, opened } = store;
  if (named !== null && named !== opened && !isUnknownAccount(await context.accounts.account(named))) return named;
  return opened ?? (await openAccount(context, storeId, store, owner));
}

async function openAccount(
  context: AccountsContext,
  storeId: string,
  { name, time_zone }: { readonly name: string; readonly time_zone: string },
  { email, country = countryOf(time_zone) ?? undefined }: Owner,
): Promise<string> {
  const { accounts, database, mode } = context;
  if (email === undefined) throw new Problem('VALIDATION_FAILED', { message: 'body.email: is needed when the account is opened.' });
  if (country === undefined) throw new Problem('VALIDATION_FAILED', { message: 'body.country: is needed for the store’s time zone.' });
  const { made, call } = await askUnrecorded(context, {
    purpose: 'account',
    reference: `${storeId}:${mode}`,
    keyName: accountKey(storeId, mode),
    make: (key) => accounts.openAccount({ storeId, name, email, country }, key),
    find: () => accounts.findAccountOf(storeId),
  });
  return await database.transaction((tx) => recordOpened(tx, { storeId, mode, accountId: made.id, call }));
}

/**
 * Reads the list of connected accounts and records those whose stored state differs. The provider's list of events lacks account.updated,
 * so a lost one is found here. An account that is not in the list is read on its own.
 */
export async function readAccounts(context: AccountsContext): Promise<void> {
  const { accounts, database, mode, now } = context;
  const known = new Map((await findAccounts(database)).map(({ account_id, stored }) => [account_id, stored]));
  if (known.size === 0) return;
  const askedAt = now();
  for (const account of await accounts.connectedAccounts()) {
    const stored = known.get(account.id);
    if (stored === undefined || (stored !== null && stored.mode !== mode)) continue;
    if (stored === null || differs(stored, account)) await database.transaction((tx) => recordAccount(tx, account, mode, askedAt));
    known.delete(account.id);
  }
  for (const accountId of known.keys()) await lookAtAccount(context, accountId);
}

const differs = (stored: StoredAccount, { reasons, facts }: ProviderAccount): boolean =>
  !isDeepStrictEqual(
    [stored.reasons, stored.details_submitted, stored.payouts_enabled, stored.currently_due, stored.past_due],
    [reasons, facts?.detailsSubmitted, facts?.payoutsEnabled, facts?.currentlyDue, facts?.pastDue],
  ) || (stored.due_by === null ? null : Date.parse(stored.due_by)) !== (facts?.dueBy?.getTime() ?? null);

/** Reads the accounts of stores that are new, or whose account changed. A failed read is repeated at the next run. */
export async function lookAtUnseenAccounts(context: AccountsContext): Promise<void> {
  for (const accountId of await findUnseenAccounts(context.database)) {
    try {
      await lookAtAccount(context, accountId);
    } catch (error) {
      context.log.warn({ err: error, account_id: accountId }, 'an account could not be looked at yet: its store accepts orders meanwhile');
    }
  }
}

/**
 * Reads an account at the provider, records its state for every store that names it, and returns it. An account of the other mode is not
 * read. Throws PAYMENT_PROVIDER_ERROR.
 */
export async function lookAtAccount({ database, accounts, mode, now }: AccountsContext, accountId: string): Promise<ProviderAccount> {
  const askedAt = now();
  const stored = await findAccount(database, accountId);
  const account = stored !== null && stored.mode !== mode ? accountOfOtherMode(accountId) : await accounts.account(accountId);
  await database.transaction((tx) => recordAccount(tx, account, mode, askedAt));
  return account;
}

export async function findUnknown({ accounts }: AccountsContext, accountIds: readonly string[]): Promise<string[]> {
  const unknown: string[] = [];
  for (const id of accountIds) if (isUnknownAccount(await accounts.account(id))) unknown.push(id);
  return unknown;
}

/** Registers the shop's domain at the payment provider: its form hides Apple Pay on pages of any other. */
export async function registerShopDomain({ domains, shopDomain, log }: AccountsContext): Promise<void> {
  if (shopDomain === null) return;
  const reason = await domains.register(shopDomain);
  if (reason !== null) log.warn({ domain: shopDomain, reason }, 'the shop’s pages do not offer Apple Pay');
}
