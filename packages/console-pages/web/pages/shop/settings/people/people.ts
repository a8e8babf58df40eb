import type * as contracts from '@corner/contracts';
import type { z } from 'zod';
import { RequestFailed } from '../../../../logic/refusal.ts';
import { readAgain } from '../../../../shell/queries.ts';
import { send } from '../../send.ts';
import { directoryPath } from '../directory-objects.ts';

export type StaffMember = z.output<typeof contracts.StaffMember>;
export type StaffReply = z.output<typeof contracts.directory.listStaff.reply>;
export type Role = StaffMember['role'];
export type StaffChange = NonNullable<z.input<typeof contracts.directory.changeStaff.body>>;

export const staffPath = (storeId: string): string => directoryPath(storeId, '/staff');

/** Changes a person to the version that was read. One who was changed meanwhile is read again, and the person decides anew. */
export async function changeStaff(storeId: string, { id, version }: StaffMember, body: StaffChange, key: string): Promise<void> {
  const path = `${staffPath(storeId)}/${encodeURIComponent(id)}`;
  try {
    await send<unknown>({ of: id, method: 'PATCH', path, body, match: version, key });
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.code !== 'VERSION_CONFLICT') throw error;
    throw new RequestFailed(error.status, error.code, 'Another person has changed this meanwhile. Look at it again.', error.requestId);
  } finally {
    await readAgain(staffPath(storeId));
  }
}

export const roleNames: Readonly<Record<Role, string>> = { owner: 'Owner', manager: 'Manager', staff: 'Staff' };
/** What a role may do, in a sentence. */
export const roleTexts: Readonly<Record<Role, string>> = {
  owner: 'Everything, also money, people and the payment account.',
  manager: 'The day, the menu, slots, the floor, takings, and people with the role Staff.',
  staff: 'Orders, the queue, customers and the diary.',
};

/** The roles that a person may give, the least first. */
export const rolesGivenBy = (mine: string): readonly Role[] => (mine === 'owner' ? ['staff', 'manager', 'owner'] : ['staff']);

/** Returns whether a person with a role may change someone. The service decides. */
export const mayChange = (mine: string, { role }: Pick<StaffMember, 'role'>): boolean => rolesGivenBy(mine).includes(role);

const ranks: Readonly<Record<Role, number>> = { owner: 0, manager: 1, staff: 2 };
/** The people of a store, owners first, then by name. */
export const sortedStaff = (staff: readonly StaffMember[]): readonly StaffMember[] =>
  staff.toSorted((a, b) => ranks[a.role] - ranks[b.role] || a.name.localeCompare(b.name));

/** Returns the fields that a form changes; null when it changes none. */
export function changeOf(before: StaffMember, name: string, role: Role): StaffChange | null {
  const change = { ...(name.trim() === before.name ? {} : { name: name.trim() }), ...(role === before.role ? {} : { role }) };
  return Object.keys(change).length === 0 ? null : change;
}
