import { handleRpc } from '@corner/chassis';
import { reachCustomer } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { reachableBy } from '../sagas/send-message.ts';
import { selectAddresses } from '../tables/addresses.ts';

/** Says over which channel a message about an order would reach a customer. No preference switches such messages off. */
export const handleReachCustomer = handleRpc(reachCustomer, async ({ customer_id }, { database, channels }: Context) => ({
  channel: reachableBy(await selectAddresses(database, customer_id), channels),
}));
