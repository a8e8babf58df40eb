import { crashPoint, handleRpc } from '@corner/chassis';
import { awardOrder as awardOrderRpc } from '@corner/contracts';
import type { Context } from '../context.ts';
import { awardOrder } from '../transactions/award-order.ts';
import { awardAtOnce } from '../transactions/award-orders.ts';

/** Awards a paid order's stamps while its customer waits. */
export const handleAwardOrder = handleRpc(awardOrderRpc, async (order, context: Context) => {
  const { database } = context;
  const award = (await awardAtOnce(database, order, context)) ?? (await database.transaction((tx) => awardOrder(tx, order)));
  crashPoint('loyalty.award.before-response');
  return award;
});
