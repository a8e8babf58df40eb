import { on } from '@corner/chassis';
import { Problem, storeAccountConnected } from '@corner/contracts';
import { changeObject } from '../object/transactions/change-object.ts';

/**
 * Makes the account that was opened for a store its connected account, if the store still has the one that it replaces: an operator's
 * change meanwhile stays. A store that this directory does not have is left out.
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
