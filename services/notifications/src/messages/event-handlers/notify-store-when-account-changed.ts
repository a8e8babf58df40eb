import { on } from '@corner/chassis';
import { storeAccountChanged } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { storeMessageForAccount } from '../rules/content-for-stores.ts';
import { notifyStore } from '../transactions/notify-store.ts';

/** Informs the store that its account at the payment provider was restricted, so that it takes no orders, or restored. */
export const notifyStoreWhenAccountChanged = on(storeAccountChanged, ({ id, sequence, data }, tx, { messageSignal }: Context) =>
  notifyStore(tx, { id, sequence, storeId: data.store_id }, storeMessageForAccount(data), messageSignal),
);
