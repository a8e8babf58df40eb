import { answer, crashPoint } from '@corner/chassis';
import { awardOrder } from '@corner/contracts';
import type { Context } from '../context.ts';
import { awardPaidOrder } from '../tables/award-order.ts';

/** Awards a paid order's stamps while its customer waits. */
export const answerAwardOrder = answer(awardOrder, async (ask, { database, now, newId }: Context) => {
  const award = await database.transaction((tx) => awardPaidOrder(tx, ask, now(), newId));
  crashPoint('loyalty.award.before-answer');
  return award;
});
