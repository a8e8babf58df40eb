import type { Transaction } from '@corner/chassis';
import { publishedUntil } from '../object/rules/templates.ts';
import { publishAgain } from '../object/transactions/change-object.ts';
import { findKindsPublishedBefore, lockFreeStore } from './tables.ts';

/**
 * Publishes a store's slots and floor again when their days ahead have moved on. A store that another transaction has locked is left out.
 */
export async function renewStore(tx: Transaction, storeId: string): Promise<void> {
  const store = await lockFreeStore(tx, storeId);
  if (!store) return;
  const kinds = await findKindsPublishedBefore(tx, storeId, publishedUntil(store.time_zone, tx.now));
  for (const kind of kinds) await publishAgain(tx, { kind, id: storeId, storeId }, store);
}
