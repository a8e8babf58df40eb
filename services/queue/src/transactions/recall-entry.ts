import type { Transaction } from '@corner/chassis';
import { type MovedEntry, moveEntryAsStaff } from './move-entry-as-staff.ts';

/** Takes a call back. The entry waits again in the position that its time of joining gives it. */
export const recallEntry = async (tx: Transaction, request: { readonly storeId: string; readonly entryId: string }): Promise<MovedEntry> =>
  await moveEntryAsStaff(tx, { ...request, move: 'recall' }, ({ joined_at }, { entries }) => {
    const ahead = entries.filter((entry) => entry.status === 'waiting' && entry.joined_at < joined_at);
    return { position: ahead.length + 1 };
  });
