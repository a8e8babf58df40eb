import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../context.ts';
import { isUnknownAccount, type ProviderAccount } from './rules.ts';
import { findStoreAccounts, findUnseenAccounts, type StoreAccount } from './tables.ts';
import { recordAccount } from './transactions.ts';

/**
 * Reads the list of connected accounts and records those whose stored state differs. The provider's list of events lacks the accounts' own,
 * so a lost account.updated is found here. An account that is not in the list is read on its own.
 */
export async function readAccounts(context: Context): Promise<void> {
  const stored = Map.groupBy(await findStoreAccounts(context.database), ({ account_id }) => account_id);
  if (stored.size === 0) return;
  const askedAt = context.now();
  for (const account of await context.accounts.connectedAccounts()) {
    const known = stored.get(account.id);
    if (known?.some((one) => differs(one, account))) await context.database.transaction((tx) => recordAccount(tx, account, askedAt));
    stored.delete(account.id);
  }
  for (const accountId of stored.keys()) await lookAtAccount(context, accountId);
}

const differs = ({ accepts_orders, reasons }: StoreAccount, account: ProviderAccount): boolean =>
  accepts_orders !== account.acceptsOrders || !isDeepStrictEqual(reasons, account.reasons);

/** Reads the accounts of stores that are new, or whose account changed. One that fails is tried at the next run. */
export async function lookAtUnseenAccounts(context: Context): Promise<void> {
  for (const accountId of await findUnseenAccounts(context.database)) {
    try {
      await lookAtAccount(context, accountId);
    } catch (error) {
      context.log.warn({ err: error, account_id: accountId }, 'an account could not be looked at yet: its store accepts orders meanwhile');
    }
  }
}

/** Reads an account at the provider and records its state for every store that names it. Throws PAYMENT_PROVIDER_ERROR. */
export async function lookAtAccount({ database, accounts, now }: Context, accountId: string): Promise<void> {
  const askedAt = now();
  const account = await accounts.account(accountId);
  await database.transaction((tx) => recordAccount(tx, account, askedAt));
}

/** Returns the accounts that the provider does not know. Throws PAYMENT_PROVIDER_ERROR. */
export async function findUnknown({ accounts }: Context, accountIds: readonly string[]): Promise<string[]> {
  const unknown: string[] = [];
  for (const id of accountIds) if (isUnknownAccount(await accounts.account(id))) unknown.push(id);
  return unknown;
}
