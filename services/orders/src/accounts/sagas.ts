import type { Context } from '../context.ts';
import { noteAccount } from './transactions.ts';

/** Reads an account at the provider and notes its state for every store that names it. Throws PAYMENT_PROVIDER_ERROR. */
export async function lookAtAccount({ database, accounts, now }: Context, accountId: string): Promise<void> {
  const askedAt = now();
  const account = await accounts.account(accountId);
  await database.transaction((tx) => noteAccount(tx, account, askedAt));
}
