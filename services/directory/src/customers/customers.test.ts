// covers: readMe, changeMe, readMembership, changeMembership
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, refusal, type Shop } from '../testing/shop.ts';
import { answerForLoyalty, type Visits } from '../testing/visits.ts';

let running: Running;
let shop: Shop;
let visits: Visits;
beforeAll(async () => {
  running = await startRunning();
  visits = await answerForLoyalty(running);
});
beforeEach(async () => {
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

describe('a customer', () => {
  const customer = async () => {
    const id = randomUUID();
    return { id, token: await running.issuer.token({ typ: 'customer', sub: id, name: 'Ana' }) };
  };

  test('has an empty profile until they change it, and sees and changes the own one alone', async () => {
    const { id, token } = await customer();
    expect((await shop.get('//me', { token })).body).toMatchObject({ version: 0, profile: { id, name: null, push_devices: [] } });
    const changed = await shop.patch('//me', { name: 'Ana', email: 'ana@example.com', language: 'fr-CA' }, { token, match: 0 });
    expect(changed.body).toEqual({
      version: 1,
      profile: { id, name: 'Ana', email: 'ana@example.com', phone: null, language: 'fr', push_devices: [] },
    });
    expect((await shop.patch('//me', { email: null }, { token, match: 1 })).body.profile).toMatchObject({ name: 'Ana', email: null });
    expect((await shop.snapshots('customer', id)).at(-1)?.data).toMatchObject({ id, version: 2, name: 'Ana', memberships: [] });
    expect(refusal(await shop.get('//me'))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });

  test('is refused with what is no address, and the message names the field', async () => {
    const { token } = await customer();
    const { status, body } = await shop.patch('//me', { email: 'ana', phone: '0770' }, { token });
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/body\.email: .*body\.phone: /);
  });

  test('gets a membership of a store, which others do not see, and which ends', async () => {
    const { id, token } = await customer();
    const path = `/customers/${id}`;
    expect(refusal(await shop.get(path))).toEqual([404, 'CUSTOMER_NOT_FOUND']);
    expect(refusal(await shop.patch(path, { membership: null }))).toEqual([404, 'CUSTOMER_NOT_FOUND']);
    await shop.patch('//me', { name: 'Ana' }, { token });
    const other = await openShop(running);
    for (const { storeId } of [shop, other]) visits.add(storeId, id);
    const membership = { status: 'active', current_period_end: null, plan_name: 'Regulars' };
    expect((await shop.patch(path, { membership }, { role: 'manager', match: 1 })).body).toEqual({ version: 2, membership });
    await other.patch(path, { membership: { ...membership, plan_name: 'Theirs' } });
    expect((await shop.get(path, { role: 'staff' })).body).toEqual({ version: 3, membership });
    await shop.patch(path, { membership: { ...membership, status: 'paused' } });
    expect(JSON.stringify((await shop.changes('customer', id)).at(-1))).not.toContain('order');
    expect((await shop.patch(path, { membership: null })).body.membership).toBeNull();
    expect((await shop.snapshots('customer', id)).at(-1)?.data).toMatchObject({ name: 'Ana', memberships: [{ plan_name: 'Theirs' }] });
    expect(JSON.stringify(await shop.changes('customer', id))).not.toContain('Ana');
  });

  test('who never was at a store is not found there, as one who is not there at all, until they come', async () => {
    const { id, token } = await customer();
    await shop.patch('//me', { name: 'Ana' }, { token });
    const other = await openShop(running);
    visits.add(other.storeId, id);
    const membership = { status: 'active', plan_name: 'Regulars' };
    const replies = async (of: string) => [await shop.get(`/customers/${of}`), await shop.patch(`/customers/${of}`, { membership })];
    for (const reply of [...(await replies(id)), ...(await replies(randomUUID()))])
      expect(refusal(reply)).toEqual([404, 'CUSTOMER_NOT_FOUND']);
    expect(await shop.snapshots('customer', id)).toHaveLength(1);
    visits.add(shop.storeId, id);
    expect((await replies(id)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('who was a member stays known to the store; of others it is not known while loyalty does not answer', async () => {
    const [member, visitor] = [await customer(), await customer()];
    for (const { id, token } of [member, visitor]) {
      await shop.patch('//me', { name: 'Ana' }, { token });
      visits.add(shop.storeId, id);
    }
    const membership = { status: 'active', plan_name: 'Regulars' };
    for (const change of [membership, null]) await shop.patch(`/customers/${member.id}`, { membership: change });
    visits[Symbol.dispose]();
    expect((await shop.patch(`/customers/${member.id}`, { membership })).status).toBe(200);
    expect(refusal(await shop.patch(`/customers/${visitor.id}`, { membership }))).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
    visits = await answerForLoyalty(running);
  });

  test('gets no membership from staff, from a token of another store, or of a store that is not there', async () => {
    const path = `/customers/${randomUUID()}`;
    const other = await openShop(running);
    expect(refusal(await shop.patch(path, { membership: null }, { role: 'staff' }))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect(refusal(await shop.get(path, { token: await other.token('owner') }))).toEqual([403, 'STORE_FORBIDDEN']);
    const id = randomUUID();
    const token = await running.issuer.token({ typ: 'merchant', stores: [{ id, role: 'owner' }] });
    expect(refusal(await shop.get(`//stores/${id}${path}`, { token }))).toEqual([404, 'STORE_NOT_FOUND']);
    expect(refusal(await shop.patch(`//stores/${id}${path}`, { membership: null }, { token }))).toEqual([404, 'STORE_NOT_FOUND']);
  });
});
