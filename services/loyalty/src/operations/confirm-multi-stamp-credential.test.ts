import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { staffOf } from '../testing/events.ts';
import { addStaff, atCounter, type Member, refusalOf, staffSession } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop, withoutProof } from '../testing/shop.ts';

const noon = '2026-05-01T11:00:00Z';
const invalid = [403, 'STAFF_CREDENTIAL_INVALID'];
let running: Running;
let shop: Shop;
let there: Shop;
let member: Member;
beforeAll(async () => {
  running = await startRunning({ at: noon });
  shop = await openShop(running, { ...withoutProof, goal: 10 });
  there = await openShop(running, { ...withoutProof, goal: 10 });
  member = await addStaff(running, shop);
});
beforeEach(() => running.clock.set(noon));
afterAll(async () => await running[Symbol.asyncDispose]());

/** Confirms a new request with only the given credential. */
async function confirmed(more: object, headers: Record<string, string> = {}) {
  const ana = await atCounter(running, shop, member);
  await ana.request(1);
  return await ana.confirm({ staff_secret: null, ...more }, headers);
}
const refused = (more: object, headers?: Record<string, string>) => refusalOf(confirmed(more, headers));
/** A session of the shop's member, unless the claims name another. */
const session = (claims: object = {}) => staffSession(running, shop.storeId, { sub: member.id, ...claims });
const worksHere = () => [{ id: shop.storeId, role: 'staff' as const }];

describe('an auth card', () => {
  test('is accepted at its own store only', async () => {
    expect((await confirmed({ staff_secret: member.card })).body).toMatchObject({ stamps_created: 1 });
    const abroad = await addStaff(running, there);
    expect(await refused({ staff_secret: abroad.card })).toEqual(invalid);
  });

  test('that no member has is refused', async () => {
    for (const staff_secret of [randomUUID(), 'x']) expect(await refused({ staff_secret })).toEqual(invalid);
  });

  test('is valid until it is revoked, no longer listed, or its member has left the store', async () => {
    const card = { token_id: randomUUID(), store_id: shop.storeId };
    const changes: [Parameters<typeof staffOf>[1], unknown][] = [
      [{ cards: [{ ...card, revoked: true }] }, invalid],
      [{ cards: [card] }, [200, undefined]],
      [{ cards: [] }, invalid],
      [{ cards: [card, { ...card, revoked: true }] }, invalid],
      [{ cards: [card], stores: [] }, invalid],
      [{ cards: [card] }, [200, undefined]],
    ];
    const id = randomUUID();
    for (const [index, [change, then]] of changes.entries()) {
      await running.consume(staffOf(id, { version: index + 2, stores: worksHere(), ...change }));
      expect(await refused({ staff_secret: card.token_id })).toEqual(then);
    }
    // An older snapshot changes nothing.
    await running.consume(staffOf(id, { version: 1, stores: [], cards: [] }));
    expect((await confirmed({ staff_secret: card.token_id })).status).toBe(200);
  });

  test('is stored as a hash, and neither it nor a session is in any event or log line', async () => {
    const token = await session();
    await confirmed({ staff_secret: member.card });
    await confirmed({ staff_token: token });
    const rows = await running.service.database.any(sql.type(z.object({ row: z.string() }))`
      select t::text as row from staff t union all select t::text from outbox t union all select t::text from multi_stamp_request t
      union all select t::text from stamp t union all select t::text from idempotency_key t`);
    const written = JSON.stringify([rows, running.lines]);
    for (const secret of [member.card, token]) expect(written).not.toContain(secret);
  });
});

describe('a staff session', () => {
  test('is read from the body or X-Staff-Token, and before a card', async () => {
    const staff_token = await session();
    expect((await confirmed({ staff_token })).status).toBe(200);
    expect((await confirmed({}, { 'x-staff-token': staff_token })).status).toBe(200);
    expect((await confirmed({ staff_token }, { 'x-staff-token': staff_token })).status).toBe(200);
    expect((await confirmed({ staff_token: '' }, { 'x-staff-token': staff_token })).status).toBe(200);
    const abroad = await staffSession(running, there.storeId);
    expect(await refused({ staff_token: abroad, staff_secret: member.card })).toEqual(invalid);
  });

  test('is refused when the body and the header differ', async () => {
    const staff_token = await session();
    expect(await refused({ staff_token }, { 'x-staff-token': await session() })).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('names the member who confirmed', async () => {
    const ana = await atCounter(running, shop, member);
    const { request_id } = (await ana.request(1)).body;
    await ana.confirm({ staff_secret: null, staff_token: await session() });
    const staffId = await running.service.database.oneFirst(sql.type(z.object({ id: z.string() }))`
      select confirmed_by as id from multi_stamp_request where id = ${request_id}`);
    expect(staffId).toBe(member.id);
  });

  test('is valid for twelve hours, whatever expiry it names', async () => {
    const exp = Math.floor(new Date(noon).getTime() / 1_000) + 48 * 3_600;
    const [usual, endless] = [await session(), await session({ exp })];
    running.clock.advance({ minutes: 12 * 60 - 1 });
    for (const staff_token of [usual, endless]) expect((await confirmed({ staff_token })).status).toBe(200);
    running.clock.advance({ minutes: 2 });
    for (const staff_token of [usual, endless]) expect(await refused({ staff_token })).toEqual(invalid);
  });

  test('is revoked by its id, and when its member leaves the store', async () => {
    const [id, jti] = [randomUUID(), randomUUID()];
    const staff_token = await session({ sub: id.toUpperCase(), jti });
    await running.consume(staffOf(id, { stores: worksHere() }));
    expect((await confirmed({ staff_token })).status).toBe(200);
    await running.consume(staffOf(id, { version: 2, stores: worksHere(), revoked_sessions: [randomUUID(), jti] }));
    expect(await refused({ staff_token })).toEqual(invalid);
    const another = await session({ sub: id });
    expect((await confirmed({ staff_token: another })).status).toBe(200);
    await running.consume(staffOf(id, { version: 3, stores: [] }));
    expect(await refused({ staff_token: another })).toEqual(invalid);
  });

  test('of a member whom the directory never published is refused, whatever stores it lists', async () => {
    expect(await refused({ staff_token: await session({ sub: randomUUID() }) })).toEqual(invalid);
  });

  test('that does not verify is refused with the same response, whatever is wrong with it', async () => {
    const claims = { typ: 'staff', aud: 'staff-session', stores: worksHere() } as const;
    const { bad } = running.issuer;
    const tokens = [
      'no token',
      'a.b.c',
      await running.issuer.token({ ...claims, aud: 'api' }),
      await running.issuer.token({ ...claims, typ: 'customer' }),
      await running.issuer.token({ ...claims, jti: undefined }),
      await running.issuer.token({ ...claims, sub: 'cy' }),
      await running.issuer.token({ ...claims, stores: [] }),
      await staffSession(running, there.storeId),
      await bad.expired(claims),
      await bad.unsigned(claims),
      await bad.hs256(claims),
      await bad.wrongAudience(claims),
      await bad.wrongIssuer(claims),
      await bad.unknownKid(claims),
      await bad.forged(claims),
    ];
    const responses = await Promise.all(tokens.map((staff_token) => confirmed({ staff_token })));
    responses.push(await confirmed({ staff_secret: randomUUID() }));
    expect(new Set(responses.map(({ status, body }) => JSON.stringify([status, { ...body.error, requestId: '' }]))).size).toBe(1);
    expect([responses[0]?.status, responses[0]?.body.error.code]).toEqual(invalid);
  });

  test('is not an access token', async () => {
    const token = await session();
    expect(await refusalOf(shop.post('multi-stamp/confirm', { store_code: shop.storeId }, token))).toEqual([401, 'UNAUTHENTICATED']);
  });
});

test('a missing credential is refused before the store is looked up', async () => {
  const required = [401, 'STAFF_CREDENTIAL_REQUIRED'];
  expect(await refused({})).toEqual(required);
  expect(await refused({ staff_secret: '', staff_token: '' }, { 'x-staff-token': '' })).toEqual(required);
  expect(await refused({ store_code: randomUUID() })).toEqual(required);
});

test('a refused credential leaves the request pending', async () => {
  const ana = await atCounter(running, shop, member);
  await ana.request(2);
  expect(await refusalOf(ana.confirm({ staff_secret: randomUUID() }))).toEqual(invalid);
  expect((await ana.confirm()).body).toMatchObject({ stamps_created: 2, idempotent: false });
});
