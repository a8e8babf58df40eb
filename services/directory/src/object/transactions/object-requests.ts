import { type Caller, derivedUuid, type Queries } from '@corner/chassis';
import { type ChangedBy, type ObjectKind, Problem, type Role } from '@corner/contracts';
import { blankOf } from '../rules/objects.ts';
import { findObject } from '../tables.ts';
import type { Versioned } from './change-object.ts';

export const madeBy = (name: string, { caller, idempotencyKey, expectedVersion }: Asked) => ({
  by: { id: caller.id, name: caller.name } satisfies ChangedBy,
  expected: expectedVersion,
  requestId: idempotencyKey === undefined ? null : derivedUuid(`directory.${name}:${caller.type}:${caller.id}:${idempotencyKey}`),
});

interface Asked {
  readonly caller: Caller;
  readonly idempotencyKey: string | undefined;
  readonly expectedVersion: number | null;
}

/** Returns the role of a caller whose token lists the store: the pipeline has checked that it does. */
export const roleOf = ({ stores }: Caller, storeId: string): Role => stores.get(storeId) ?? 'staff';

/** Reads an object of a store; where it was never created, the blank one with version 0. Throws STORE_NOT_FOUND. */
export async function readOfStore<K extends ObjectKind>(queries: Queries, kind: K, storeId: string): Promise<Versioned<K>> {
  const row = await findObject(queries, { kind, id: storeId, storeId });
  if (row) return row;
  await checkStore(queries, storeId);
  const blank = blankOf(kind, storeId);
  if (!blank) throw new Problem('STORE_NOT_FOUND');
  return { version: 0, data: blank };
}

export async function checkStore(queries: Queries, storeId: string): Promise<void> {
  if (!(await findObject(queries, { kind: 'store', id: storeId, storeId }))) throw new Problem('STORE_NOT_FOUND');
}
