import { on } from '@corner/chassis';
import { orderRefundFailed } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { storeMessageForRefundFailed } from '../rules/content-for-stores.ts';
import { notifyStore } from '../transactions/notify-store.ts';

/** Informs the store that a refund failed and the customer does not have the money. */
export const notifyStoreWhenRefundFailed = on(orderRefundFailed, ({ id, sequence, data }, tx, { messageSignal }: Context) =>
  notifyStore(tx, { id, sequence, storeId: data.store_id }, storeMessageForRefundFailed(data), messageSignal),
);
