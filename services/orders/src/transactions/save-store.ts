import type { Transaction } from '@corner/chassis';
import type { DataOf, directoryStore } from '@corner/contracts';
import { writeStore } from '../tables/stores.ts';

/** Saves a store's snapshot, unless the same version or a newer one is stored. */
export const saveStore = (tx: Transaction, store: DataOf<typeof directoryStore>): Promise<void> => writeStore(tx, store);
