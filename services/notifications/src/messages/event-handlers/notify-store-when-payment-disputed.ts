import { on } from '@corner/chassis';
import { paymentDisputed } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { storeMessageForDispute } from '../rules/content-for-stores.ts';
import { notifyStore } from '../transactions/notify-store.ts';

/** Informs the store that a dispute was opened, with the last moment for evidence, or how it ended. */
export const notifyStoreWhenPaymentDisputed = on(paymentDisputed, ({ id, sequence, data }, tx, { messageSignal }: Context) =>
  notifyStore(tx, { id, sequence, storeId: data.store_id }, storeMessageForDispute(data), messageSignal),
);
