import type { Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { findObject } from '../../object/tables.ts';
import { holdsAddress } from '../rules/settings.ts';
import { findLookAlike } from '../tables.ts';

/**
 * Throws VALIDATION_FAILED for a name that its owner gives a store and customers would take for something else: an address, or another owner's
 * listed store. The name that the store has stays allowed, and an operator imports any.
 */
export async function checkStoreName(
  tx: Transaction,
  named: { readonly storeId: string; readonly name: string; readonly ownerId: string },
): Promise<void> {
  const { storeId, name } = named;
  const store = await findObject(tx, { kind: 'store', id: storeId, storeId });
  if (store?.data.name === name) return;
  if (holdsAddress(name))
    throw new Problem('VALIDATION_FAILED', {
      message: 'name: must not hold the address of a page or of mail; leave it out, or put a space after the dot',
    });
  if (await findLookAlike(tx, named))
    throw new Problem('VALIDATION_FAILED', {
      message: 'name: reads like the name of another store that is listed; add a word of your own, such as the street',
    });
}
