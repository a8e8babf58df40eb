import { expect, test } from '@jest/globals';
import { type DirectoryStore, listChanges, storeObject } from './directory-objects.ts';

const menu = [
  { id: 'espresso', price: 250 },
  { id: 'filter', price: 300 },
];
const change = (draft: readonly { readonly id: string; readonly price: number }[]) => listChanges(menu, draft, 'id');

test('a change of a list names the fields that differ, new entries and those that are gone', () => {
  expect(
    change([
      { id: 'espresso', price: 260 },
      { id: 'mocha', price: 400 },
    ]),
  ).toEqual({
    upsert: [
      { id: 'espresso', price: 260 },
      { id: 'mocha', price: 400 },
    ],
    remove: ['filter'],
    order: null,
  });
  expect(change(menu)).toEqual({ upsert: [], remove: [], order: null });
});

test('a change of a list names the order when an entry was moved, or a new one does not stand at the end', () => {
  expect(change(menu.toReversed()).order).toEqual(['filter', 'espresso']);
  expect(change([{ id: 'mocha', price: 400 }, ...menu]).order).toEqual(['mocha', 'espresso', 'filter']);
});

test('a change of the settings names the fields that differ, those of the design one by one', () => {
  const branding = { logo_url: null, primary_color: '#112233' };
  const saved = { name: 'Corner', hours: [], branding } as unknown as DirectoryStore;
  expect(storeObject.changes(saved, { ...saved, name: 'Corner 2' })).toEqual({ name: 'Corner 2' });
  const design = { ...saved, branding: { ...branding, primary_color: null } } as unknown as DirectoryStore;
  expect(storeObject.changes(saved, design)).toEqual({ branding: { primary_color: null } });
});
