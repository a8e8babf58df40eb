// covers: changeMenu, changeMe, changeStore, addStaff

import { randomUUID } from 'node:crypto';
import { DirectoryFile } from '@corner/contracts';
import { demoDirectory } from '@corner/sandbox/demo';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importFile } from '../testing/imports.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, refusal, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const item = (name: string, more: object = {}) => ({ id: 'cake', name, price_pence: 300, ...more });

test.each([
  ['items.cake.name', '/menu', { items: [item('Cake\u001b@')] }],
  ['items.cake.category', '/menu', { items: [item('Cake', { category: 'Cakes\nFree' })] }],
  ['name', '', { name: '\u202eeffoC' }],
])('a change that brings a name of control characters or another direction is refused by its field: %s', async (field, path, body) => {
  const refused = await shop.patch(path, body);
  expect(refusal(refused)).toEqual([400, 'VALIDATION_FAILED']);
  expect(refused.body.error.message).toContain(`${field}: must be one line`);
});

test('a name of staff and of a customer is refused so too, and Arabic and Hebrew with their marks are names', async () => {
  const person = { id: randomUUID(), name: 'Gil\u0007', role: 'staff' };
  expect(refusal(await shop.post('/staff', person))).toEqual([400, 'VALIDATION_FAILED']);
  const token = await running.issuer.token({ typ: 'customer' });
  expect(refusal(await shop.patch('//me', { name: 'Ana\u2028Free' }, { token }))).toEqual([400, 'VALIDATION_FAILED']);
  for (const name of ['مقهى\u200f الزاوية', 'קפה\u200e 7']) expect((await shop.patch('', { name })).body.store.name).toBe(name);
});

test('a name that an import brought stays, and keeps no other change from being made', async () => {
  const { stores, menus } = DirectoryFile.parse(demoDirectory(running.clock.now()));
  const [store, menu] = [stores[0], menus[0]];
  if (!store || !menu) throw new Error('the demo has a store and a menu');
  await importFile(running, {
    stores: [store],
    menus: [{ ...menu, items: menu.items.map((each, n) => (n === 0 ? { ...each, name: 'Flat\twhite' } : each)) }],
  });
  const token = await running.issuer.token({ typ: 'merchant', stores: [{ id: store.id, role: 'owner' }] });
  const [first] = menu.items;
  const changed = await shop.patch(`//stores/${store.id}/menu`, { items: [{ id: first?.id, price_pence: 999 }] }, { token });
  expect(changed.body.menu.items[0]).toMatchObject({ name: 'Flat\twhite', price_pence: 999 });
});
