import { pathTo, type Reply } from '../../../../logic/platform.ts';
import { send } from '../../send.ts';

export type AccountReply = Reply<'GET /api/v1/orders/stores/{store_id}/account'>;
export type PayoutsReply = Reply<'GET /api/v1/orders/stores/{store_id}/payouts'>;

export const accountPath = (store_id: string) => pathTo('/api/v1/orders/stores/{store_id}/account', { store_id });
export const payoutsPath = (store_id: string) => pathTo('/api/v1/orders/stores/{store_id}/payouts', { store_id });

/** The page of the provider works once, for some minutes. */
export const linkAccount = (store_id: string, back: string, email: string) =>
  send('POST /api/v1/orders/stores/{store_id}/account-link', {
    of: `account ${store_id}`,
    at: { store_id },
    body: { return_url: `${back}?back=returned`, refresh_url: `${back}?back=ended`, email: email || undefined },
  });
