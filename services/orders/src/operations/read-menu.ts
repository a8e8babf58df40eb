import type { Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { storeView } from '../rules/store-view.ts';
import { findLiveStore, listOfferedItems } from '../tables/store-views.ts';

/** Returns the items that a store offers, and the orders that it takes now. */
export const readMenu: Operation<typeof orders.readMenu, Context> = async ({ params: { store_id } }, { database, now }) => {
  const store = await findLiveStore(database, store_id);
  if (!store) throw new Problem('STORE_NOT_FOUND');
  return { store: storeView(store, now()), items: [...(await listOfferedItems(database, store_id))] };
};
