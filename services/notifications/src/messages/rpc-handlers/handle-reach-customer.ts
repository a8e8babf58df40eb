import { handleRpc } from '@corner/chassis';
import { reachCustomer } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { reachOf } from '../sagas/send-message.ts';
import { addressesOf } from '../tables/pending-messages.ts';

/** News of an order is not switchable, so what counts is where the customer can be reached, and by which channels we can. */
export const handleReachCustomer = handleRpc(reachCustomer, async ({ customer_id }, { database, channels }: Context) => ({
  channel: reachOf(await addressesOf(database, customer_id), channels),
}));
