import { handleRpc } from '@corner/chassis';
import { findUnknownAccounts } from '@corner/contracts';
import type { Context } from '../context.ts';
import { isUnknownAccount } from './rules.ts';

/** Returns the accounts that the provider does not know. Throws PAYMENT_PROVIDER_ERROR. */
export const handleFindUnknownAccounts = handleRpc(findUnknownAccounts, async ({ account_ids }, { accounts }: Context) => {
  const unknown: string[] = [];
  for (const id of account_ids) if (isUnknownAccount(await accounts.account(id))) unknown.push(id);
  return { unknown };
});
