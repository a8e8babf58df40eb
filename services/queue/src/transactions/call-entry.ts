import type { Transaction } from '@corner/chassis';
import { type MovedEntry, moveEntryAsStaff } from './move-entry-as-staff.ts';

/** Calls a waiting entry and holds its place for the store's hold time. A second call does not extend the hold. */
export const callEntry = async (tx: Transaction, request: { readonly storeId: string; readonly entryId: string }): Promise<MovedEntry> =>
  await moveEntryAsStaff(tx, { ...request, move: 'call' }, (_entry, queue) => ({ holdMinutes: queue.calledHoldMinutes }));
