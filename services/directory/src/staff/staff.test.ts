// covers: listStaff, addStaff, changeStaff
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, refusal, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const card = 'card_0123456789abcdef';
const add = (role = 'staff', more: object = {}, sent: object = {}) => {
  const person = { id: randomUUID(), name: 'Gil', role, ...more };
  return shop.post('/staff', person, sent).then((response) => ({ ...response, id: person.id }));
};
const change = (id: string, body: object, sent: object = {}) => shop.patch(`/staff/${id}`, body, sent);

describe('a person', () => {
  test('is added by a manager as staff, with a card whose token no reply shows', async () => {
    const added = await add('staff', { cards: [{ token_id: card }] }, { role: 'manager' });
    expect([added.status, added.body]).toEqual([
      200,
      { version: 1, staff: { id: added.id, name: 'Gil', role: 'staff', cards: [{ ends_with: 'cdef', revoked: false }], version: 1 } },
    ]);
    expect((await shop.snapshots('staff', added.id)).at(-1)?.data).toMatchObject({
      stores: [{ id: shop.storeId, role: 'staff' }],
      cards: [{ token_id: card, store_id: shop.storeId, revoked: false }],
    });
    expect((await shop.get('/staff', { role: 'manager' })).body.staff.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'Bo',
      'Gil',
    ]);
  });

  test('is added once to a store', async () => {
    const { id } = await add();
    expect(refusal(await shop.post('/staff', { id, name: 'Gil', role: 'staff' }))).toEqual([409, 'STAFF_EXISTS']);
  });

  test('who works at two stores keeps at each what the other changes, and the name', async () => {
    const { id } = await add('manager', { cards: [{ token_id: card }] });
    const other = await openShop(running);
    const there = await other.post('/staff', { id, name: 'Someone', role: 'staff', cards: [{ token_id: card }] });
    expect(there.body.staff).toMatchObject({ name: 'Gil', role: 'staff' });
    expect(refusal(await other.patch(`/staff/${id}`, { name: 'Renamed' }))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect((await other.patch(`/staff/${id}`, { role: null })).body).toMatchObject({ version: 3, staff: null });
    expect((await shop.get('/staff')).body.staff.find((person: { id: string }) => person.id === id)).toMatchObject({
      role: 'manager',
      cards: [{ revoked: false }],
    });
  });

  test('is promoted, renamed, given another card and dismissed; then the cards are refused', async () => {
    const { id } = await add('staff', { cards: [{ token_id: card }] });
    expect((await change(id, { role: 'manager', name: 'Gil B.' })).body.staff).toMatchObject({ role: 'manager', name: 'Gil B.' });
    const replaced = await change(id, { revoke_cards: ['cdef'], cards: [{ token_id: 'card_another_one_1' }] });
    expect(replaced.body.staff.cards).toEqual([
      { ends_with: 'cdef', revoked: true },
      { ends_with: 'ne_1', revoked: false },
    ]);
    expect((await change(id, { cards: [{ token_id: card }] })).body.staff.cards[0]).toEqual({ ends_with: 'cdef', revoked: true });
    await change(id, { revoke_sessions: ['session-1'] });
    expect((await change(id, { role: null })).body.staff).toBeNull();
    expect((await shop.snapshots('staff', id)).at(-1)?.data).toMatchObject({
      stores: [],
      cards: [{ revoked: true }, { revoked: true }],
      revoked_sessions: ['session-1'],
    });
    expect(refusal(await change(id, { role: 'staff' }))).toEqual([404, 'STAFF_NOT_FOUND']);
  });

  test('who is dismissed at one store keeps the card that serves at another, too', async () => {
    const other = await openShop(running);
    const { id } = await add('staff', { cards: [{ token_id: card }] });
    await other.post('/staff', { id, name: 'Gil', role: 'staff', cards: [{ token_id: card }] });
    await change(id, { role: null });
    expect((await shop.snapshots('staff', id)).at(-1)?.data.cards).toEqual([{ token_id: card, store_id: other.storeId, revoked: false }]);
  });

  test('above staff is added and changed by an owner alone', async () => {
    const asManager = { role: 'manager' };
    expect(refusal(await add('manager', {}, asManager))).toEqual([403, 'INSUFFICIENT_ROLE']);
    const { id } = await add('staff', {}, asManager);
    expect(refusal(await change(id, { role: 'owner' }, asManager))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect((await change(id, { role: 'owner' })).status).toBe(200);
    expect(refusal(await change(id, { role: null }, asManager))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect(refusal(await change(shop.ownerId, { name: 'Not Bo' }, asManager))).toEqual([403, 'INSUFFICIENT_ROLE']);
  });

  test('who is the last owner stays, also when two owners dismiss each other at once', async () => {
    expect(refusal(await change(shop.ownerId, { role: null }))).toEqual([409, 'LAST_OWNER']);
    expect(refusal(await change(shop.ownerId, { role: 'manager' }))).toEqual([409, 'LAST_OWNER']);
    const { id } = await add('owner');
    const both = await Promise.all([change(id, { role: null }), change(shop.ownerId, { role: null })]);
    expect(both.map((response) => refusal(response)[1]).toSorted()).toEqual(['LAST_OWNER', undefined]);
  });

  test('is refused with a short token and an unknown role, and the message names the field', async () => {
    expect((await add('staff', { cards: [{ token_id: 'short' }] })).body.error.message).toContain('body.cards[0].token_id');
    expect((await add('boss')).body.error.message).toContain('body.role');
  });

  test('is not for staff and people of another store, and of an unknown store is not found', async () => {
    const other = await openShop(running);
    expect(refusal(await shop.get('/staff', { role: 'staff' }))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect(refusal(await add('staff', {}, { token: await other.token('owner') }))).toEqual([403, 'STORE_FORBIDDEN']);
    expect(refusal(await other.patch(`/staff/${shop.ownerId}`, { role: null }))).toEqual([404, 'STAFF_NOT_FOUND']);
    const id = randomUUID();
    const token = await running.issuer.token({ typ: 'merchant', stores: [{ id, role: 'owner' }] });
    expect(refusal(await shop.get(`//stores/${id}/staff`, { token }))).toEqual([404, 'STORE_NOT_FOUND']);
    expect(refusal(await shop.patch(`//stores/${id}/staff/${id}`, { role: null }, { token }))).toEqual([404, 'STORE_NOT_FOUND']);
    expect(refusal(await shop.post(`//stores/${id}/staff`, { id, name: 'No', role: 'staff' }, { token }))).toEqual([
      404,
      'STORE_NOT_FOUND',
    ]);
  });

  test('who would be one of 201 is refused', async () => {
    await running.service.database.query(sql.type(z.object({}))`
      insert into works_at (store_id, staff_id, role) select ${shop.storeId}, gen_random_uuid(), 'staff' from generate_series(1, 199)`);
    expect((await add()).body.error.message).toBe('staff: at most 200 people work at a store');
  });
});
