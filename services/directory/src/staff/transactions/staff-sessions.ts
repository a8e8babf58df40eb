import type { Transaction } from '@corner/chassis';
import { Problem, type Role } from '@corner/contracts';
import { lockObject } from '../../object/tables.ts';
import { roleAt, staffSessionSeconds } from '../rules/staff.ts';
import { saveStaffSession } from '../tables/staff-sessions.ts';

/**
 * Starts a staff session of a person at a store. The person is locked: a dismissal at the same time either finds the session and revokes it, or
 * comes first. Throws STAFF_NOT_FOUND for someone who does not work there, whatever their token says.
 */
export async function startStaffSession(
  tx: Transaction,
  { storeId, staffId, requestId }: { readonly storeId: string; readonly staffId: string; readonly requestId: string | null },
): Promise<{ readonly session: Awaited<ReturnType<typeof saveStaffSession>>; readonly name: string; readonly role: Role }> {
  const person = await lockObject(tx, { kind: 'staff', id: staffId, storeId: null });
  const role = person && roleAt(person.data, storeId);
  if (!role) throw new Problem('STAFF_NOT_FOUND');
  const expiresAt = new Date(tx.now.getTime() + staffSessionSeconds * 1000);
  return { session: await saveStaffSession(tx, { storeId, staffId, expiresAt, requestId }), name: person.data.name, role };
}
