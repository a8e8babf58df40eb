import type { Operation } from '@corner/chassis';
import type { loyalty } from '@corner/contracts';
import type { Context } from '../context.ts';
import { undoStamp as undo } from '../transactions/undo-stamp.ts';

/** Undoes a stamp that the store granted and that is unused. A stamp that was undone already stays as it is. */
export const undoStamp: Operation<typeof loyalty.undoStamp, Context> = async ({ body }, { database }) => {
  const card = { storeId: body.store_id, customerId: body.customer_id };
  return { undone: true, current_stamps: await database.transaction((tx) => undo(tx, card, body.stamp_id)) };
};
