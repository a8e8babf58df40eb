import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../context.ts';
import type { ProviderAccount } from './rules.ts';
import { lookAtAccount } from './sagas.ts';
import { findStoreAccounts, findUnseenAccounts, type StoreAccount } from './tables.ts';
import { noteAccount } from './transactions.ts';

/**
 * Reads the list of connected accounts, a hundred in a call, and notes those whose state is not the stored one: the provider lists an
 * account's own events only in that account's name, so a lost account.updated is found here. An account that is not in the list is
 * looked at by itself.
 */
export async function readAccounts(context: Context): Promise<void> {
  const stored = Map.groupBy(await findStoreAccounts(context.database), ({ account_id }) => account_id);
  if (stored.size === 0) return;
  const askedAt = context.now();
  for (const account of await context.accounts.connectedAccounts()) {
    const known = stored.get(account.id);
    if (known?.some((one) => differs(one, account))) await context.database.transaction((tx) => noteAccount(tx, account, askedAt));
    stored.delete(account.id);
  }
  for (const accountId of stored.keys()) await lookAtAccount(context, accountId);
}

const differs = ({ accepts_orders, reasons }: StoreAccount, account: ProviderAccount): boolean =>
  accepts_orders !== account.acceptsOrders || !isDeepStrictEqual(reasons, account.reasons);

/** Looks at the accounts of stores that are new, or that have another account than before. One that fails is tried at the next run. */
export async function lookAtUnseenAccounts(context: Context): Promise<void> {
  for (const accountId of await findUnseenAccounts(context.database)) {
    try {
      await lookAtAccount(context, accountId);
    } catch (error) {
      context.log.warn({ err: error, account_id: accountId }, 'an account could not be looked at yet: its store accepts orders meanwhile');
    }
  }
}
