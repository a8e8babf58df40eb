import { on } from '@corner/chassis';
import { storeOrdersRefused } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { storeMessageForOrdersRefused } from '../rules/content-for-stores.ts';
import { notifyStore } from '../transactions/notify-store.ts';

/** Informs the store how many orders it lost because its account is restricted. */
export const notifyStoreWhenOrdersRefused = on(storeOrdersRefused, ({ id, sequence, data }, tx, { messageSignal }: Context) =>
  notifyStore(tx, { id, sequence, storeId: data.store_id }, storeMessageForOrdersRefused(data), messageSignal),
);
