import type { Transaction } from '@corner/chassis';
import type { DataOf, directoryStore } from '@corner/contracts';
import { upsertStore } from '../tables/stores.ts';

/** Saves a store's snapshot. A snapshot that is not newer than the saved one is ignored. */
export const saveStore = async (tx: Transaction, { status, ...snapshot }: DataOf<typeof directoryStore>): Promise<void> =>
  await upsertStore(tx, { ...snapshot, live: status === 'live' });
