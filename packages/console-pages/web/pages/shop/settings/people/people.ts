import type { components } from '@corner/client';
import { type Body, pathTo } from '../../../../logic/platform.ts';
import { readAgain } from '../../../../shell/queries.ts';
import { sendToVersion } from '../../send.ts';

export type StaffMember = components['schemas']['StaffMember'];
export type Role = StaffMember['role'];
export type StaffChange = Body<'PATCH /api/v1/directory/stores/{store_id}/staff/{staff_id}'>;

export const staffPath = (store_id: string) => pathTo('/api/v1/directory/stores/{store_id}/staff', { store_id });

/** Changes the version that was read. A person who was changed meanwhile is read again, and the user decides again. */
export async function changeStaff(store_id: string, { id, version }: StaffMember, body: StaffChange, key: string): Promise<void> {
  try {
    const sent = { of: id, at: { store_id, staff_id: id }, body, key };
    await sendToVersion(version, 'PATCH /api/v1/directory/stores/{store_id}/staff/{staff_id}', sent);
  } finally {
    await readAgain(staffPath(store_id));
  }
}

export const roleNames: Readonly<Record<Role, string>> = { owner: 'Owner', manager: 'Manager', staff: 'Staff' };
export const roleTexts: Readonly<Record<Role, string>> = {
  owner: 'Everything, also money, people and the payment account.',
  manager: 'The day, the menu, slots, the floor, takings, and people with the role Staff.',
  staff: 'Orders, the queue, customers and the diary.',
};

export const rolesGivenBy = (mine: string): readonly Role[] => (mine === 'owner' ? ['staff', 'manager', 'owner'] : ['staff']);

export const mayChange = (mine: string, { role }: Pick<StaffMember, 'role'>): boolean => rolesGivenBy(mine).includes(role);

const ranks: Readonly<Record<Role, number>> = { owner: 0, manager: 1, staff: 2 };
export const sortedStaff = (staff: readonly StaffMember[]): readonly StaffMember[] =>
  staff.toSorted((a, b) => ranks[a.role] - ranks[b.role] || a.name.localeCompare(b.name));

export function changeOf(before: StaffMember, name: string, role: Role): StaffChange | null {
  const change = { ...(name.trim() === before.name ? {} : { name: name.trim() }), ...(role === before.role ? {} : { role }) };
  return Object.keys(change).length === 0 ? null : change;
}
