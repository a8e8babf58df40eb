import type { Operation } from '@corner/chassis';
import type { orders } from '@corner/contracts';
import type { Context } from '../context.ts';
import { storeView } from '../rules/store-view.ts';
import { findStoresByCode, listLiveStores } from '../tables/store-views.ts';

/** Lists the stores that are live, all or those of a code, with the orders that each takes now. */
export const listStores: Operation<typeof orders.listStores, Context> = async ({ query: { code, after, limit } }, { database, now }) => {
  const stores = code === undefined ? await listLiveStores(database, after, limit) : await findStoresByCode(database, code, after, limit);
  return { stores: stores.map((store) => storeView(store, now())) };
};
