import type { Operation } from '@corner/chassis';
import type { orders } from '@corner/contracts';
import type { Context } from '../context.ts';
import { orderView } from '../rules/order-view.ts';
import { advanceFulfilment as advance } from '../transactions/advance-fulfilment.ts';

/** Moves a collect order to its next fulfilment status. The same status again changes nothing, not even a time. */
export const advanceFulfilment: Operation<typeof orders.advanceFulfilment, Context> = async ({ caller, params, body }, { database }) => {
  const change = { storeId: body.store_id, orderId: params.orderId, to: body.to_status, actor: caller.name };
  return { order: orderView(await database.transaction((tx) => advance(tx, change))) };
};
