import type { Operation } from '@corner/chassis';
import type { notifications } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { recordMarketingAnswer } from '../transactions/record-marketing-answer.ts';

/** Records the caller's answer to a store's marketing question. */
export const answerMarketingOptIn: Operation<typeof notifications.answerMarketingOptIn, Context> = async (
  { caller, body: { store_id: storeId, accepted } },
  { database },
) => {
  await database.transaction((tx) => recordMarketingAnswer(tx, { customerId: caller.id, storeId }, accepted));
  return { ok: true };
};
