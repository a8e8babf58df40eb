import { crashPoint, handleRpc } from '@corner/chassis';
import { awardOrder } from '@corner/contracts';
import type { Context } from '../context.ts';
import { awardPaidOrder } from '../tables/award-order.ts';

/** Awards a paid order's stamps while its customer waits. */
export const handleAwardOrder = handleRpc(awardOrder, async (input, { database, now, newId }: Context) => {
  const award = await database.transaction((tx) => awardPaidOrder(tx, input, now(), newId));
  crashPoint('loyalty.award.before-answer');
  return award;
});
