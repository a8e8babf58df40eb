import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, refusal, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

describe('the log of a store', () => {
  test('has each change, newest first, with who made it and the fields that it set', async () => {
    await shop.patch('/menu', { items: [{ id: 'tea', name: 'Tea', price_pence: 250 }] }, { role: 'manager' });
    await shop.patch('/menu', { items: [{ id: 'tea', price_pence: 260 }] });
    await shop.patch('/menu', { items: [{ id: 'tea', price_pence: 260 }] });
    const { entries } = (await shop.get('/log', { role: 'manager' })).body;
    expect(entries.map(({ title, by, version }: never) => [title, (by as { name: string }).name, version])).toEqual([
      ['Changed the menu: items.tea.price_pence.', 'Bo', 2],
      ['Changed the menu: items.tea.', 'Fay', 1],
      ['Added a person.', 'Bo', 1],
      ['Created the store.', 'Bo', 1],
    ]);
    expect(entries[0]).toMatchObject({
      kind: 'menu',
      object_id: shop.storeId,
      at: '2026-05-01T11:00:00.000000Z',
      fields: [{ field: 'items.tea.price_pence', from: '250', to: '260' }],
    });
  });

  test('is read in pages and by the day of the store’s zone', async () => {
    await shop.patch('', { time_zone: 'America/New_York' });
    running.clock.set('2026-05-02T03:59:00Z');
    await shop.patch('', { name: 'Still the first' });
    running.clock.set('2026-05-02T04:00:00Z');
    await shop.patch('', { name: 'The second' });
    const day = async (name: string) => (await shop.get(`/log?day=${name}`)).body.entries.map(({ title }: { title: string }) => title);
    expect(await day('2026-05-02')).toEqual(['Changed the settings of the store: name.']);
    expect(await day('2026-05-01')).toHaveLength(4);
    const first = (await shop.get('/log?limit=2')).body.entries;
    const rest = (await shop.get(`/log?before=${first[1].id}`)).body.entries;
    expect([first.length, rest.length]).toEqual([2, 3]);
  });

  test('is not for staff, another store and an unknown one, and refuses a cursor of another store', async () => {
    const other = await openShop(running);
    expect(refusal(await shop.get('/log', { role: 'staff' }))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect(refusal(await shop.get('/log', { token: await other.token('owner') }))).toEqual([403, 'STORE_FORBIDDEN']);
    const { id } = (await other.get('/log')).body.entries[0];
    expect(refusal(await shop.get(`/log?before=${id}`))).toEqual([400, 'INVALID_CURSOR']);
    const unknown = randomUUID();
    const token = await running.issuer.token({ typ: 'merchant', stores: [{ id: unknown, role: 'owner' }] });
    expect(refusal(await shop.get(`//stores/${unknown}/log`, { token }))).toEqual([404, 'STORE_NOT_FOUND']);
  });
});
