import { expect, test } from '@jest/globals';
import { bodyOf, groupsOf, type SandboxControl } from './groups.ts';

const control = (name: string, group: SandboxControl['group']): SandboxControl => ({ name, group, title: name, about: '', fields: [] });

test('controls stand in groups, payments first, without empty groups', () => {
  const groups = groupsOf([control('clock', 'clock'), control('pay', 'payments'), control('decline', 'payments')]);
  expect(groups.map(([group, members]) => [group, members.map(({ name }) => name)])).toEqual([
    ['payments', ['pay', 'decline']],
    ['clock', ['clock']],
  ]);
});

test('a body has numbers as numbers, and no field that was left empty', () => {
  const field = (name: string, kind: 'text' | 'number') => ({ name, kind, label: name, required: false });
  expect(bodyOf([field('order', 'text'), field('seconds', 'number'), field('note', 'text')], { order: ' o1 ', seconds: '30' })).toEqual({
    order: 'o1',
    seconds: 30,
  });
});
