import type { Transaction } from '@corner/chassis';
import type { DataOf, directorySlots } from '@corner/contracts';
import { lockAllSlots, raiseSlotListVersion, writeSlots } from '../tables/slots.ts';

/** Stores the snapshot of a store's slots, unless the same version or a newer one is stored. Places already used stay used. */
export async function saveSlots(tx: Transaction, list: DataOf<typeof directorySlots>): Promise<void> {
  if (!(await raiseSlotListVersion(tx, list))) return;
  // In order of id, like placing an order, so the two cannot deadlock.
  await lockAllSlots(tx, list.store_id);
  await writeSlots(tx, list);
}
