import { describe, expect, test } from '@jest/globals';
import { applyRead, applySaved, beginEdit, decide, discard, isDirty } from './edit-state.ts';

interface Thing {
  readonly name: string;
  readonly items: readonly { readonly id: string; readonly price: number }[];
  readonly hours: readonly string[];
}
const object: Thing = {
  name: 'Corner',
  items: [
    { id: 'tea', price: 200 },
    { id: 'filter', price: 300 },
  ],
  hours: ['9'],
};
const begun = beginEdit({ version: 4, object }, null);
const edited = (draft: Partial<Thing>) => ({ ...begun, draft: { ...object, ...draft } });
const theirs = (changes: Partial<Thing>, version = 5) => ({ version, object: { ...object, ...changes } });

describe('what another person saves while an object is edited', () => {
  test('is shown at once where nothing was edited', () => {
    const state = applyRead(begun, theirs({ name: 'Theirs' }));
    expect(state).toMatchObject({ version: 5, draft: { name: 'Theirs' }, conflicts: [], changedSince: 4 });
    expect(isDirty(state)).toBe(false);
  });

  test('joins what was edited, field by field and entry by entry', () => {
    const mine = edited({
      name: 'Mine',
      items: [
        { id: 'filter', price: 300 },
        { id: 'tea', price: 210 },
        { id: 'mocha', price: 400 },
      ],
    });
    const state = applyRead(
      mine,
      theirs({
        hours: ['10'],
        items: [
          { id: 'tea', price: 200 },
          { id: 'filter', price: 350 },
        ],
      }),
    );
    expect(state.conflicts).toEqual([]);
    expect(state.draft).toEqual({
      name: 'Mine',
      hours: ['10'],
      items: [
        { id: 'filter', price: 350 },
        { id: 'tea', price: 210 },
        { id: 'mocha', price: 400 },
      ],
    });
    expect(isDirty(state)).toBe(true);
  });

  test('is a conflict where both have changed the same, until it is decided', () => {
    const mine = edited({ name: 'Mine', items: [{ id: 'filter', price: 300 }] });
    const state = applyRead(
      mine,
      theirs({
        name: 'Theirs',
        items: [
          { id: 'tea', price: 220 },
          { id: 'filter', price: 300 },
        ],
      }),
    );
    const [name, tea] = state.conflicts;
    expect(state.conflicts).toEqual([
      { path: ['name'], mine: 'Mine', theirs: 'Theirs' },
      { path: ['items', 'tea'], mine: undefined, theirs: { id: 'tea', price: 220 } },
    ]);
    const kept = decide(state, name ? [name] : [], 'mine');
    expect(kept).toMatchObject({ draft: { name: 'Mine' }, conflicts: [tea] });
    const taken = decide(state, state.conflicts, 'theirs');
    expect(taken).toMatchObject({ draft: { name: 'Theirs', items: [{ id: 'filter' }, { id: 'tea', price: 220 }] }, conflicts: [] });
  });

  test('keeps a conflict open over further changes, with their newest value, until they agree', () => {
    const state = applyRead(edited({ name: 'Mine' }), theirs({ name: 'Theirs' }));
    const further = applyRead(state, theirs({ name: 'Theirs', hours: ['11'] }, 6));
    expect(further.conflicts).toEqual([{ path: ['name'], mine: 'Mine', theirs: 'Theirs' }]);
    expect(applyRead(further, theirs({ name: 'Newer' }, 7)).conflicts).toEqual([{ path: ['name'], mine: 'Mine', theirs: 'Newer' }]);
    expect(applyRead(further, theirs({ name: 'Mine' }, 7)).conflicts).toEqual([]);
  });

  test('is not shown again: an older or equal version changes nothing', () => {
    expect(applyRead(begun, theirs({ name: 'Older' }, 4))).toBe(begun);
  });
});

test('what is typed while a save is on its way stays unsaved', () => {
  const sent = edited({ name: 'Sent ' });
  const typed = { ...sent, draft: { ...sent.draft, hours: ['10'] } };
  const state = applySaved(typed, theirs({ name: 'Sent' }), sent.draft);
  expect(state).toMatchObject({ version: 5, saved: { name: 'Sent', hours: ['9'] }, draft: { name: 'Sent', hours: ['10'] } });
});

test('a save whose response was lost is no unsaved change once it is read', () => {
  expect(isDirty(applyRead(edited({ name: 'Mine' }), theirs({ name: 'Mine' })))).toBe(false);
});

test('an edit that the tab has kept goes on from the version that it was made to, with what is to be decided', () => {
  const kept = edited({ name: 'Mine' });
  expect(beginEdit(theirs({ name: 'Theirs' }), kept)).toMatchObject({ draft: { name: 'Mine' }, conflicts: [{ path: ['name'] }] });
  expect(beginEdit({ version: 4, object }, kept)).toMatchObject({ draft: { name: 'Mine' }, conflicts: [] });
  const undecided = applyRead(kept, theirs({ name: 'Theirs' }));
  expect(beginEdit(theirs({ name: 'Theirs' }), undecided).conflicts).toEqual(undecided.conflicts);
});

test('a discarded edit is what is saved', () => {
  const state = discard(applyRead(edited({ name: 'Mine' }), theirs({ name: 'Theirs' })));
  expect(state).toMatchObject({ draft: { name: 'Theirs' }, conflicts: [] });
});
