import type { Transaction } from '@corner/chassis';
import { type DirectoryObject, Problem, type Role } from '@corner/contracts';
import { findObject, lockObject } from '../../object/tables.ts';
import { changeObject, type ObjectChange, type Versioned } from '../../object/transactions/change-object.ts';
import { checkStaffRoles, editStaff, roleAt, type StaffChange } from '../rules/staff.ts';
import { countColleagues } from '../tables/staff.ts';
import { listStaffSessions } from '../tables/staff-sessions.ts';

const mostPeople = 200;

/**
 * Changes a person's part of one store, or adds them to it. The store is locked first: of two owners who dismiss each other at once, one
 * stays. Throws STORE_NOT_FOUND, STAFF_NOT_FOUND, STAFF_EXISTS, LAST_OWNER and INSUFFICIENT_ROLE.
 */
export async function changeStaff(
  tx: Transaction,
  { storeId, staffId, byRole: byToken, issuesTokens = false, add, change, ...request }: StaffRequest,
): Promise<Versioned<'staff'>> {
  if (!(await lockObject(tx, { kind: 'store', id: storeId, storeId }))) throw new Problem('STORE_NOT_FOUND');
  const byRole = issuesTokens ? await roleNow(tx, storeId, request.by.id, byToken) : byToken;
  const colleagues = await countColleagues(tx, storeId, staffId);
  const edit = change.role === undefined ? change : await endingSessions(tx, storeId, staffId, change);
  return await changeObject(tx, {
    kind: 'staff',
    id: staffId,
    storeId: null,
    at: storeId,
    ...request,
    change(found) {
      const role = found && roleAt(found, storeId);
      if (add && role) throw new Problem('STAFF_EXISTS');
      if (!add && !role) throw new Problem('STAFF_NOT_FOUND');
      checkStaffRoles(byRole, [role, change.role]);
      if (role === 'owner' && change.role !== undefined && change.role !== 'owner' && colleagues.owners === 0)
        throw new Problem('LAST_OWNER');
      if (add && colleagues.people >= mostPeople)
        throw new Problem('VALIDATION_FAILED', { message: `staff: at most ${mostPeople} people work at a store` });
      return editStaff(found ?? newcomer(staffId, add?.name ?? ''), storeId, edit);
    },
  });
}

/**
 * Returns the person's role in the directory: an access token from before a dismissal is not enough. For someone whom the directory does
 * not know, returns the token's role. Throws INSUFFICIENT_ROLE.
 */
export async function roleNow(tx: Transaction, storeId: string, id: string, byToken: Role): Promise<Role> {
  const person = await findObject(tx, { kind: 'staff', id, storeId: null });
  const role = person ? roleAt(person.data, storeId) : byToken;
  if (role === null || role === 'staff')
    throw new Problem('INSUFFICIENT_ROLE', { message: 'Your role at the store has changed; refresh your token.' });
  return role;
}

/**
 * Adds the person’s staff sessions of the store to those that a change revokes, when it gives another role or none: their tokens have the
 * old one.
 */
async function endingSessions(tx: Transaction, storeId: string, staffId: string, change: StaffChange): Promise<StaffChange> {
  const person = await lockObject(tx, { kind: 'staff', id: staffId, storeId: null });
  if (!person || roleAt(person.data, storeId) === change.role) return change;
  const open = await listStaffSessions(tx, storeId, staffId, tx.now);
  return { ...change, revoke_sessions: [...(change.revoke_sessions ?? []), ...open] };
}

const newcomer = (id: string, name: string): DirectoryObject<'staff'> => ({ id, name, stores: [], cards: [], revoked_sessions: [] });

/**
 * `byRole`: the role of the person who makes the change, by their token. `issuesTokens`: tokens are issued here, so that roles are the
 * directory’s. `add`: the name of a person who is added, unless they have one at another store; absent for a change.
 */
interface StaffRequest extends Pick<ObjectChange<'staff'>, 'expected' | 'requestId' | 'by'> {
  readonly storeId: string;
  readonly staffId: string;
  readonly byRole: Role;
  readonly issuesTokens?: boolean;
  readonly add?: { readonly name: string };
  readonly change: StaffChange;
}
