import type * as contracts from '@corner/contracts';
import type { z } from 'zod';
import { send } from '../../send.ts';

export type AccountReply = z.output<typeof contracts.orders.readAccount.reply>;
export type PayoutsReply = z.output<typeof contracts.orders.listPayouts.reply>;

const storePath = (storeId: string): string => `/api/v1/orders/stores/${encodeURIComponent(storeId)}`;

export const accountPath = (storeId: string): string => `${storePath(storeId)}/account`;
export const payoutsPath = (storeId: string): string => `${storePath(storeId)}/payouts`;

/** Returns the page of the provider where the owner opens the account, or completes it. It works once, for some minutes. */
export const linkAccount = (storeId: string, back: string, email: string) =>
  send<{ readonly url: string }>({
    of: `account ${storeId}`,
    path: `${storePath(storeId)}/account-link`,
    body: { return_url: `${back}?back=returned`, refresh_url: `${back}?back=ended`, ...(email === '' ? {} : { email }) },
  });
