// covers: startStaffSession
import { randomUUID } from 'node:crypto';
import { createVerifyToken } from '@corner/chassis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exchange, outcome, refresh, signingKey, startProvider, type TestProvider } from '../testing/provider.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, refusal, type Shop } from '../testing/shop.ts';

let provider: TestProvider;
let running: Running;
let shop: Shop;
beforeAll(async () => {
  provider = await startProvider(() => running.clock.now());
  running = await startRunning({
    settings: { TOKEN_SIGNING_KEYS: JSON.stringify(signingKey()), SIGN_IN_PROVIDERS: JSON.stringify([provider.entry]) },
  });
});
beforeEach(async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  shop = await openShop(running);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

async function colleague(role: 'staff' | 'manager' = 'staff') {
  const id = randomUUID();
  await shop.post('/staff', { id, name: 'Gil', role });
  const token = await running.issuer.token({ typ: 'staff', sub: id, name: 'Gil', stores: [{ id: shop.storeId, role }] });
  const begin = (key?: string) => shop.post('/staff-sessions', {}, { token, ...(key ? { key } : {}) });
  const revoked = async () => (await shop.snapshots('staff', id)).at(-1)?.data.revoked_sessions;
  return { id, token, begin, revoked };
}

describe('a staff session', () => {
  test('is a token of twelve hours for one store, with an audience of its own, that no operation takes for an access token', async () => {
    const { id, begin } = await colleague();
    const { status, body } = await begin();
    expect([status, body]).toEqual([
      200,
      { token: expect.any(String), session_id: expect.any(String), expires_at: '2026-05-01T23:00:00.000000Z' },
    ]);
    const verify = createVerifyToken({
      issuer: running.issuer.issuer,
      keys: `${running.service.url}/api/v1/directory/keys`,
      now: running.clock.now,
    });
    const payload = await verify(body.token, { audience: 'staff-session', claims: ['exp', 'jti', 'typ'], maxAgeSeconds: 43_200 });
    await expect(verify(body.token, { audience: 'api', claims: ['exp'] })).rejects.toThrow('aud');
    expect(payload).toMatchObject({
      sub: id,
      jti: body.session_id,
      typ: 'staff',
      name: 'Gil',
      stores: [{ id: shop.storeId, role: 'staff' }],
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(43_200);
    expect(refusal(await shop.get('/staff', { token: body.token }))[0]).toBe(401);
  });

  test('is the same one for a repeat with the same key', async () => {
    const { begin } = await colleague();
    const key = randomUUID();
    const first = await begin(key);
    running.clock.advance({ minutes: 10 });
    const { body } = await begin(key);
    expect(body).toMatchObject({ session_id: first.body.session_id, expires_at: first.body.expires_at });
  });

  test('ends at once when the person is dismissed or gets another role, at this store and in those of it alone', async () => {
    const other = await openShop(running);
    const { id, begin, revoked } = await colleague();
    await other.post('/staff', { id, name: 'Gil', role: 'staff' });
    const token = await running.issuer.token({ typ: 'staff', sub: id, stores: [{ id: other.storeId, role: 'staff' }] });
    const elsewhere = (await other.post('/staff-sessions', {}, { token })).body.session_id;
    const sessions = [(await begin()).body.session_id, (await begin()).body.session_id];
    await shop.patch(`/staff/${id}`, { name: 'Gil', role: 'staff' });
    expect(await revoked()).toEqual([]);
    await shop.patch(`/staff/${id}`, { role: 'manager' });
    expect((await revoked()).toSorted()).toEqual(sessions.toSorted());
    const third = (await begin()).body.session_id;
    await shop.patch(`/staff/${id}`, { role: null });
    expect((await revoked()).toSorted()).toEqual([...sessions, third].toSorted());
    expect(await revoked()).not.toContain(elsewhere);
  });

  test('that begins while the person is dismissed is refused or revoked', async () => {
    const { id, begin, revoked } = await colleague();
    const [started] = await Promise.all([begin(), shop.patch(`/staff/${id}`, { role: null })]);
    if (started.status === 200) expect(await revoked()).toContain(started.body.session_id);
    else expect(refusal(started)).toEqual([404, 'STAFF_NOT_FOUND']);
  });

  test('is refused to someone who was dismissed, whose token still says that they work there', async () => {
    const { id, begin } = await colleague();
    await shop.patch(`/staff/${id}`, { role: null });
    expect(refusal(await begin())).toEqual([404, 'STAFF_NOT_FOUND']);
  });

  test('is not for customers and people of another store', async () => {
    const other = await openShop(running);
    const customer = await running.issuer.token({ typ: 'customer' });
    expect(refusal(await shop.post('/staff-sessions', {}, { token: customer }))).toEqual([403, 'WRONG_TOKEN_TYPE']);
    expect(refusal(await shop.post('/staff-sessions', {}, { token: await other.token('owner') }))).toEqual([403, 'STORE_FORBIDDEN']);
  });
});

test('a person who is dismissed has no store in the next access token, and can open one of their own', async () => {
  const signedIn = await exchange(running, await provider.idToken({ name: 'Gil' }), { typ: 'team' });
  const { id } = signedIn.body.subject;
  await shop.post('/staff', { id, name: 'Gil', role: 'staff' });
  const working = await refresh(running, signedIn.body.refresh_token);
  expect(working.body.subject.typ).toBe('staff');
  await shop.patch(`/staff/${id}`, { role: null });
  const after = await refresh(running, working.body.refresh_token);
  expect([outcome(after), after.body.subject.typ]).toEqual(['200', 'merchant']);
});

test('a store that is not there is not found, also by someone who works elsewhere', async () => {
  const unknown = randomUUID();
  const token = await running.issuer.token({ typ: 'merchant', sub: shop.ownerId, stores: [{ id: unknown, role: 'owner' }] });
  const body = { id: randomUUID(), name: 'Hal', role: 'staff' };
  expect(refusal(await shop.post(`//stores/${unknown}/staff`, body, { token }))).toEqual([404, 'STORE_NOT_FOUND']);
});

test('an owner who was dismissed or lowered makes no one staff with the access token that they have left', async () => {
  const id = randomUUID();
  await shop.post('/staff', { id, name: 'Gil', role: 'owner' });
  const token = await running.issuer.token({ typ: 'merchant', sub: id, stores: [{ id: shop.storeId, role: 'owner' }] });
  const tries = async () => [
    refusal(await shop.post('/staff', { id: randomUUID(), name: 'Hal', role: 'owner' }, { token })),
    refusal(await shop.patch(`/staff/${shop.ownerId}`, { role: null }, { token })),
    refusal(await shop.patch(`/staff/${id}`, { role: 'owner' }, { token })),
  ];
  const refused = [403, 'INSUFFICIENT_ROLE'];
  await shop.patch(`/staff/${id}`, { role: 'staff' });
  expect(await tries()).toEqual([refused, refused, refused]);
  await shop.patch(`/staff/${id}`, { role: 'manager' });
  expect(await tries()).toEqual([refused, refused, refused]);
  await shop.patch(`/staff/${id}`, { role: null });
  expect(await tries()).toEqual([refused, refused, refused]);
  expect(refusal(await shop.post('/staff', { id, name: 'Gil', role: 'owner' }, { token }))).toEqual(refused);
  expect((await shop.get('/staff')).body.staff.map((person: { id: string }) => person.id)).toEqual([shop.ownerId]);
});
