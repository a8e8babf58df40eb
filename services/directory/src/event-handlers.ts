import { on, onAll, type Transaction } from '@corner/chassis';
import { customerDataRead, Problem, storeAccountConnected } from '@corner/contracts';
import type { DataAccess } from './rules/data-access.ts';
import { changeObject } from './transactions/change-object.ts';
import { recordDataAccess } from './transactions/record-data-access.ts';

/**
 * Names the account that was opened for a store as its connected account, if the store still names the one that it replaces: what an operator
 * changed meanwhile stays. A store that this directory does not have is left out.
 */
export const connectStore = on(storeAccountConnected, async ({ data: { store_id: id, account_id, replaces } }, tx) => {
  try {
    await changeObject(tx, {
      kind: 'store',
      id,
      storeId: id,
      at: id,
      expected: null,
      requestId: null,
      by: { id: 'orders', name: 'Payment provider' },
      change: (store) => {
        if (!store) throw new Problem('STORE_NOT_FOUND');
        return store.connected_account_id === replaces ? { ...store, connected_account_id: account_id } : store;
      },
    });
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'STORE_NOT_FOUND')) throw error;
  }
});

/** Records who read whose data, the reads of a batch together. */
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
