import { expect, test } from '@jest/globals';
import { changeOf, mayChange, rolesGivenBy, type StaffMember, sortedStaff } from './people.ts';

const person = (name: string, role: StaffMember['role']): StaffMember => ({ id: name, name, role, cards: [], version: 1 });

test('owners come first, then managers, then staff, each by name', () => {
  const people = [person('Gil', 'staff'), person('Fay', 'manager'), person('Cy', 'staff'), person('Bo', 'owner')];
  expect(sortedStaff(people).map(({ name }) => name)).toEqual(['Bo', 'Fay', 'Cy', 'Gil']);
});

test('a manager changes and invites people with the role staff, an owner everyone', () => {
  const roles = ['owner', 'manager', 'staff'] as const;
  expect(roles.filter((role) => mayChange('manager', { role }))).toEqual(['staff']);
  expect(roles.filter((role) => mayChange('owner', { role }))).toEqual(['owner', 'manager', 'staff']);
  expect([rolesGivenBy('manager'), rolesGivenBy('owner')]).toEqual([['staff'], ['staff', 'manager', 'owner']]);
});

test('a change of a person names what differs alone: the name of one who works elsewhere too would be refused', () => {
  const fay = person('Fay', 'manager');
  expect([changeOf(fay, ' Fay ', 'manager'), changeOf(fay, 'Fay', 'owner'), changeOf(fay, 'Fae', 'manager')]).toEqual([
    null,
    { role: 'owner' },
    { name: 'Fae' },
  ]);
});
