import type { Sandbox } from '@corner/console-api';

export type SandboxControl = Sandbox['controls'][number];
type Group = SandboxControl['group'];

export const groupTitles: Readonly<Record<Group, string>> = {
  customers: 'Customers',
  payments: 'Payments',
  tags: 'Tags',
  messages: 'Messages',
  wires: 'Network',
  clock: 'Clock',
};

export const groupsOf = (controls: readonly SandboxControl[]): readonly (readonly [Group, readonly SandboxControl[]])[] =>
  (Object.keys(groupTitles) as Group[])
    .map((group) => [group, controls.filter((control) => control.group === group)] as const)
    .filter(([, members]) => members.length > 0);

export const bodyOf = (fields: SandboxControl['fields'], values: Readonly<Record<string, string>>): Record<string, string | number> =>
  Object.fromEntries(
    fields.flatMap(({ name, kind }) => {
      const value = (values[name] ?? '').trim();
      return value === '' ? [] : [[name, kind === 'number' ? Number(value) : value]];
    }),
  );
