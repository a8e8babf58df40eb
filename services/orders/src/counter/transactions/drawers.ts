import type { Transaction } from '@corner/chassis';
import { mostPence, Problem } from '@corner/contracts';
import { expectedPence } from '../rules.ts';
import {
  closeDrawer,
  DrawerIsOpen,
  type DrawerRow,
  findClosedBy,
  insertDrawer,
  insertPayOut,
  lockDrawer,
  readDrawer,
} from '../tables/drawers.ts';

interface Person {
  readonly id: string;
  readonly name: string | null;
}

export interface DrawerRequest {
  readonly storeId: string;
  readonly key: string;
  readonly by: Person;
}

export async function openDrawer(tx: Transaction, { storeId, key, by, floatPence }: DrawerRequest & { readonly floatPence: number }) {
  await insertDrawer(tx, { id: key, storeId, floatPence, by }).catch((error: unknown) => {
    throw error instanceof DrawerIsOpen ? new Problem('DRAWER_OPEN', { cause: error }) : error;
  });
  return await mustRead(tx, storeId, key);
}

export async function payOut(tx: Transaction, request: DrawerRequest & { readonly amountPence: number; readonly reason: string }) {
  const { storeId, key, by, amountPence, reason } = request;
  const drawerId = await lockDrawer(tx, storeId);
  if (drawerId === null) throw new Problem('DRAWER_NOT_OPEN');
  await insertPayOut(tx, { id: key, drawerId, storeId, amountPence, reason, by });
  return await mustRead(tx, storeId, drawerId);
}

/** Closes the open drawer of a store with its counted cash. Throws DRAWER_NOT_OPEN, and VALIDATION_FAILED for sums too large to store. */
export async function countDrawer(
  tx: Transaction,
  request: DrawerRequest & { readonly countedPence: number; readonly note: string | null },
) {
  const { storeId, key, by, countedPence, note } = request;
  const id = await lockDrawer(tx, storeId);
  // A repeat must not close the drawer that was opened since.
  const closed = await findClosedBy(tx, storeId, key);
  if (closed !== null) return await mustRead(tx, storeId, closed);
  if (id === null) throw new Problem('DRAWER_NOT_OPEN');
  const expected = expectedPence(await mustRead(tx, storeId, id));
  if (Math.max(Math.abs(expected), Math.abs(countedPence - expected)) > mostPence)
    throw new Problem('VALIDATION_FAILED', {
      message: 'counted_pence: the drawer should hold too much to be counted at once; record what was taken out of it, and count the rest.',
    });
  await closeDrawer(tx, { id, countedPence, note, key, by, expectedPence: expected });
  return await mustRead(tx, storeId, id);
}

async function mustRead(tx: Transaction, storeId: string, id: string): Promise<DrawerRow> {
  const drawer = await readDrawer(tx, storeId, id);
  if (!drawer) throw new Error(`drawer ${id} of store ${storeId} cannot be found`);
  return drawer;
}
