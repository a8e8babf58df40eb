import { onAll, type Transaction } from '@corner/chassis';
import { customerDataRead } from '@corner/contracts';
import type { DataAccess } from './rules.ts';
import { recordDataAccess } from './transactions.ts';

export const recordDataRead = onAll(
  customerDataRead,
  ({ data: { by, store_id: storeId, customer_ids, what, at }, correlationid }): readonly DataAccess[] =>
    customer_ids.map((customerId) => ({ storeId, by, customerId, what, requestId: correlationid ?? null, at: new Date(at) })),
  async (tasks, tx: Transaction) =>
    await recordDataAccess(
      tx,
      tasks.flatMap(({ task }) => task),
    ),
);
