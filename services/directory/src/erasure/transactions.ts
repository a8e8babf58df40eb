import { markErased, publish, type Transaction } from '@corner/chassis';
import { customerErased } from '@corner/contracts';
import { newCustomer } from '../customers/index.ts';
import { findObject } from '../object/tables.ts';
import { changeObject } from '../object/transactions/change-object.ts';
import { keptHere } from './rules.ts';
import { beginErasure, dropPerson, type ErasureRow, type NewErasure, type Report, saveErasure } from './tables/erasures.ts';

/**
 * Begins the erasure of a customer, also one that a store asked for: drops everything that names them here, and publishes that every
 * service must do so. One that was begun stays as it is, unless `above` is given: then it is done again, with an event above that sequence.
 */
export async function eraseCustomer(
  tx: Transaction,
  wanted: NewErasure & {
    readonly above?: number;
  },
): Promise<ErasureRow> {
  const { customerId, above } = wanted;
  const erasure = await saveErasure(tx, wanted);
  if (erasure.sequence > 0 && above === undefined) return erasure;
  const sequence = Math.max(erasure.sequence, above ?? 0) + 1;
  await markErased(tx, customerId, sequence);
  const place = { kind: 'customer', id: customerId, storeId: null } as const;
  // One that never was has no snapshot to replace.
  if (await findObject(tx, place)) {
    const by = { id: 'erasure', name: null };
    await changeObject(tx, { ...place, at: null, expected: null, requestId: null, by, change: () => newCustomer(customerId) });
  }
  const { accounts, sessions } = await dropPerson(tx, customerId);
  const what = [
    'The profile was emptied.',
    ...(accounts > 0 ? ['The account was deleted: who signs in with it is someone new.'] : []),
    ...(sessions > 0 ? [`${sessions} sessions were ended.`] : []),
  ];
  const steps = what.map((sentence) => ({ at: tx.now.toISOString(), what: sentence }));
  await publish(tx, customerErased, {
    aggregateId: customerId,
    sequence,
    customerId,
    data: { customer_id: customerId, at: tx.now.toISOString() },
  });
  const report = { service: 'directory' as const, state: 'done' as const, steps, kept: [...keptHere] } satisfies Report;
  return await beginErasure(tx, { customerId, sequence, report });
}
