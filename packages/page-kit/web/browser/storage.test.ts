import { expect, test } from '@jest/globals';
import { keptList } from './kept-list.ts';
import { keptIn, readJson, writeJson } from './storage.ts';

function browserStorage() {
  const values: Record<string, string> = {};
  let works = true;
  const failing = <T>(act: () => T): T => {
    if (!works) throw new Error('denied');
    return act();
  };
  const methods = {
    getItem: (name: string) => failing(() => values[name] ?? null),
    setItem: (name: string, value: string) => failing(() => Object.assign(values, { [name]: value })),
    removeItem: (name: string) => failing(() => Reflect.deleteProperty(values, name)),
  };
  // As in a browser, the names are the keys of the object.
  const storage = new Proxy(methods, { ownKeys: () => failing(() => Object.keys(values)), getOwnPropertyDescriptor: () => found });
  return {
    values,
    storage: storage as unknown as Storage,
    work(does: boolean) {
      works = does;
    },
  };
}
const found = { enumerable: true, configurable: true, value: '' };

test('what the browser does not take lasts as long as the page, and what it takes later is in one place', () => {
  const { values, storage, work } = browserStorage();
  const kept = keptIn(() => storage);
  work(false);
  kept.setItem('basket', 'tea');
  expect([kept.getItem('basket'), values.basket]).toEqual(['tea', undefined]);
  work(true);
  kept.setItem('basket', 'coffee');
  values.basket = 'of another tab';
  expect(kept.getItem('basket')).toBe('of another tab');
});

test('everything with a prefix is removed, also what only the page has', () => {
  const { values, storage, work } = browserStorage();
  const kept = keptIn(() => storage);
  for (const name of ['draft a', 'draft b', 'theme']) kept.setItem(name, 'x');
  work(false);
  kept.setItem('draft c', 'x');
  work(true);
  kept.removeAll('draft ');
  expect([Object.keys(values), kept.getItem('draft c')]).toEqual([['theme'], null]);
});

test('a list has its newest entries first, as many as it may, and begins anew with what it cannot read', () => {
  const { storage } = browserStorage();
  const kept = keptIn(() => storage);
  const list = keptList<{ readonly id: number; readonly state?: string }>(kept, 'attempts', 2, (one) => typeof one?.id === 'number');
  for (const id of [1, 2, 3]) list.add({ id });
  list.change(({ id }) => id === 3, { state: 'placed' });
  expect(list.read()).toEqual([{ id: 3, state: 'placed' }, { id: 2 }]);
  writeJson(kept, 'attempts', [null, { id: 'x' }, { id: 4 }]);
  expect(list.read()).toEqual([{ id: 4 }]);
  kept.setItem('attempts', 'no JSON');
  expect([list.read(), readJson(kept, 'attempts')]).toEqual([[], undefined]);
});
