import type { Context } from '../context.ts';
import { lookAtAccount } from '../sagas/look-at-account.ts';
import { findUnseenAccounts } from '../tables/store-accounts.ts';

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
