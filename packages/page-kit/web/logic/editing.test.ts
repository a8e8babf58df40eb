import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isDirty } from './edit-state.ts';
import { type Editing, type EditingEffect, type EditingEvent, nothingRead, stepEditing } from './editing.ts';
import { isSame } from './merge.ts';

type Thing = Readonly<Record<'a' | 'b' | 'c', number>>;
type Effects = readonly EditingEffect<Thing>[];
const zero: Thing = { a: 0, b: 0, c: 0 };
const read = (version: number, changes: Partial<Thing> = {}): EditingEvent<Thing> => ({
  type: 'read',
  current: { version, object: { ...zero, ...changes } },
  kept: null,
});
const typed = (changes: Partial<Thing>): EditingEvent<Thing> => ({ type: 'typed', changes });
const lost: EditingEvent<Thing> = { type: 'failed', error: 'lost', errors: {}, isUnknown: true };

function after(...events: readonly EditingEvent<Thing>[]): readonly [Editing<Thing>, Effects] {
  let now: readonly [Editing<Thing>, Effects] = [nothingRead, []];
  for (const event of events) now = stepEditing(now[0], event);
  return now;
}

test('a draft is kept while it differs from what is saved, and forgotten when it does not', () => {
  expect(after(read(1), typed({ a: 1 }))[1]).toMatchObject([{ do: 'keep draft', edit: { draft: { a: 1 } } }]);
  expect(after(read(1), typed({ a: 1 }), { type: 'discard' })[1]).toEqual([{ do: 'forget draft' }]);
  expect(
    after(read(1), typed({ a: 1 }), { type: 'save' }, { type: 'saved', current: { version: 2, object: { ...zero, a: 1 } } })[1],
  ).toEqual([{ do: 'say that it is saved' }, { do: 'forget draft' }]);
});

test('nothing is sent twice at once, unchanged, undecided, or with a text that is no value', () => {
  const fault: EditingEvent<Thing> = { type: 'fault', path: 'a', text: 'Must be a number.' };
  const save: EditingEvent<Thing> = { type: 'save' };
  expect(after(read(1), save)[1]).toEqual([]);
  expect(after(read(1), typed({ a: 1 }), save, save)[1]).toEqual([]);
  expect(after(read(1), typed({ a: 1 }), fault, save)[1]).toEqual([]);
  expect(after(read(1), typed({ a: 1 }), fault, { ...fault, text: null }, save)[1]).toMatchObject([{ do: 'send' }]);
  expect(after(read(1), typed({ a: 1 }), read(2, { a: 5 }), save)[1]).toEqual([]);
});

test('a save whose response was lost is said to be saved once a read has found it, and stays a failure until then', () => {
  const unsure = [read(1), typed({ a: 1 }), { type: 'save' }, lost] as const;
  expect(after(...unsure)).toMatchObject([{ failure: { error: 'lost' }, sent: null }, [{ do: 'read again' }]]);
  expect(after(...unsure, read(2, { a: 1 }))).toMatchObject([{ failure: null }, [{ do: 'forget draft' }, { do: 'say that it is saved' }]]);
  expect(after(...unsure, read(2, { b: 7 }))[0]).toMatchObject({ failure: { error: 'lost' }, edit: { draft: { a: 1, b: 7 } } });
});

test('what is read while a save runs waits for its response', () => {
  const saving = [read(1), typed({ a: 1 }), { type: 'save' }, read(3, { a: 1, b: 7 })] as const;
  expect(after(...saving)[0]).toMatchObject({ edit: { version: 1 } });
  expect(after(...saving, { type: 'saved', current: { version: 2, object: { ...zero, a: 1 } } })[0].edit).toMatchObject({
    version: 3,
    draft: { a: 1, b: 7 },
    conflicts: [],
  });
});

const names = ['a', 'b', 'c'] as const;
/** The next step: a field and a number for a typed value, and the behaviour of the network. */
const move = fc.record({
  who: fc.constantFrom('I', 'another', 'save', 'network', 'read', 'decide'),
  field: fc.constantFrom(...names),
  value: fc.nat(5),
  lost: fc.constantFrom('nothing', 'request', 'response'),
});

test('whatever two people type and save, with whatever is lost: a save changes what its person typed and nothing else', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
      let store = { version: 1, object: zero };
      let [now] = after(read(1));
      let sending: Extract<EditingEffect<Thing>, { do: 'send' }> | undefined;
      let mine: Partial<Thing> = {};
      const send = (event: EditingEvent<Thing>): void => {
        const [next, effects] = stepEditing(now, event);
        for (const effect of effects)
          if (effect.do === 'send') {
            expect(sending).toBeUndefined();
            sending = effect;
          }
        now = next;
        if (now.edit && !isDirty(now.edit) && now.sent === null) mine = {};
      };
      const reply = (loses: string) => {
        if (!sending) return undefined;
        const { saved, draft, version } = sending.edit;
        sending = undefined;
        if (loses === 'request') return send(lost);
        if (version !== store.version) {
          send(read(store.version, store.object));
          return send({ type: 'outrun' });
        }
        const changed = names.filter((name) => saved[name] !== draft[name]);
        expect(changed.filter((name) => !(name in mine))).toEqual([]);
        expect(isSame(saved, store.object)).toBe(true);
        store = { version: version + 1, object: { ...store.object, ...Object.fromEntries(changed.map((name) => [name, draft[name]])) } };
        return send(loses === 'response' ? lost : { type: 'saved', current: store });
      };
      for (const { who, field, value, lost: loses } of moves) {
        if (who === 'I') {
          mine = { ...mine, [field]: value };
          send(typed({ [field]: value }));
        } else if (who === 'another') store = { version: store.version + 1, object: { ...store.object, [field]: value } };
        else if (who === 'save') send({ type: 'save' });
        else if (who === 'network') reply(loses);
        else if (who === 'read') send(read(store.version, store.object));
        else send({ type: 'decide', conflicts: now.edit?.conflicts ?? [], by: 'mine' });
      }
      // The network works again, and the person keeps their own values.
      for (let round = 0; round < 5; round += 1) {
        reply('nothing');
        send(read(store.version, store.object));
        send({ type: 'decide', conflicts: now.edit?.conflicts ?? [], by: 'mine' });
        send({ type: 'save' });
      }
      expect(now).toMatchObject({ sent: null, failure: null, edit: { saved: store.object, draft: store.object } });
    }),
    { numRuns: 500 },
  );
});
