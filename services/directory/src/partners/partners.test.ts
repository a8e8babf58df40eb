// covers: createPartner, listPartners, rotatePartnerSecret, withdrawPartner, partnerToken
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { sql } from 'slonik';
import { z } from 'zod';
import { signingKey } from '../testing/provider.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { type ApiResponse, openShop, refusal, type Sent, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning({ settings: { TOKEN_SIGNING_KEYS: JSON.stringify(signingKey()) } });
});
beforeEach(async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const create = (more: object = {}, sent: Sent = {}) =>
  shop.post('/partners', { name: 'Ledgerly', scopes: ['orders:read', 'reports:read'], ...more }, sent);

async function partner() {
  const { partner, client_secret } = (await create()).body;
  return { id: partner.id as string, secret: client_secret as string };
}

async function ask(
  body: string | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<Pick<ApiResponse, 'status' | 'body'> & { headers: Headers }> {
  const response = await fetch(`${running.service.url}/api/v1/directory/token/partner`, { method: 'POST', body, headers });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

const grant_type = 'client_credentials';
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const token = (client_id: string, client_secret: string) =>
  ask(JSON.stringify({ grant_type, client_id, client_secret }), { 'content-type': 'application/json' });
const isAccepted = async (id: string, secret: string) => (await token(id, secret)).status === 200;

describe('a token', () => {
  test('is of fifteen minutes, and says the partner, its stores and its scopes; a form and HTTP Basic get the same', async () => {
    const { id, secret } = await partner();
    const replies = [
      await token(id, secret),
      await ask(new URLSearchParams({ grant_type, client_id: id, client_secret: secret }), form),
      await ask(new URLSearchParams({ grant_type }), { ...form, authorization: `Basic ${btoa(`${id}:${secret}`)}` }),
    ];
    for (const { status, body, headers } of replies) {
      expect([status, body]).toEqual([
        200,
        { access_token: expect.any(String), token_type: 'Bearer', expires_in: 900, scope: 'orders:read reports:read' },
      ]);
      expect(headers.get('cache-control')).toBe('no-store');
      const { exp = 0, iat = 0, ...claims } = decodeJwt(body.access_token);
      expect([exp - iat, claims]).toEqual([
        900,
        expect.objectContaining({
          sub: id,
          typ: 'partner',
          name: 'Ledgerly',
          aud: 'api',
          scope: 'orders:read reports:read',
          stores: [{ id: shop.storeId, role: 'staff' }],
        }),
      ]);
    }
  });

  test('is refused for a form of more fields than are read, as the caller’s fault', async () => {
    const fields = Array.from({ length: 1_001 }, (_, n) => `f${n}=1`).join('&');
    expect(await ask(fields, form)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test('is refused for credentials that are not a partner’s, that are sent twice, and for another grant', async () => {
    const [{ id, secret }, other] = [await partner(), await partner()];
    const refused = await token(id, 'corner_guess');
    expect([refused.status, refused.body, refused.headers.get('www-authenticate')]).toEqual([
      401,
      {
        error: 'invalid_client',
        error_description: expect.stringMatching(/^[ !#-[\]-~]+$/),
        code: 'CLIENT_INVALID',
        requestId: refused.headers.get('x-request-id'),
      },
      'Basic realm="corner"',
    ]);
    for (const [client, guess] of [
      [id, other.secret],
      [randomUUID(), secret],
      ['ledgerly', secret],
    ] as const)
      expect((await token(client, guess)).body.error).toBe('invalid_client');
    const basic = (text: string) => ({ ...form, authorization: `Basic ${btoa(text)}` });
    const twice = await ask(new URLSearchParams({ grant_type, client_id: id }), basic(`${id}:${secret}`));
    const broken = await ask(new URLSearchParams({ grant_type }), basic('%:%'));
    const another = await ask(new URLSearchParams({ grant_type: 'password' }), basic(`${id}:${secret}`));
    const json = { 'content-type': 'application/json' };
    const [unread, unknown] = [await ask('{', json), await ask('a=b', { 'content-type': 'text/plain' })];
    const bearer = await ask(new URLSearchParams({ grant_type }), { ...form, authorization: 'Bearer x' });
    const all = { twice, broken, another, unread, unknown, bearer };
    expect(Object.fromEntries(Object.entries(all).map(([name, { status, body }]) => [name, [status, body.error]]))).toEqual({
      twice: [400, 'invalid_request'],
      broken: [400, 'invalid_request'],
      another: [400, 'unsupported_grant_type'],
      unread: [400, 'invalid_request'],
      unknown: [415, 'invalid_request'],
      bearer: [401, 'invalid_client'],
    });
    for (const { headers } of Object.values(all)) expect(headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['HTTP Basic', client.ClientSecretBasic],
    ['a form', client.ClientSecretPost],
  ] as const)('comes to a library of OAuth, which also reads why there is none: %s', async (_, authentication) => {
    const { id, secret } = await partner();
    const server = { issuer: 'https://api.example', token_endpoint: `${running.service.url}/api/v1/directory/token/partner` };
    const as = (client_id: string, client_secret: string) => {
      const configuration = new client.Configuration(server, client_id, {}, authentication(client_secret));
      client.allowInsecureRequests(configuration);
      return configuration;
    };
    expect(await client.clientCredentialsGrant(as(id, secret))).toMatchObject({ expires_in: 900, scope: 'orders:read reports:read' });
    const refused = await client.clientCredentialsGrant(as(id, 'corner_guess')).catch((error: unknown) => error);
    // The client reads the challenge, which HTTP requires with a 401, before the body.
    if (!(refused instanceof client.WWWAuthenticateChallengeError)) throw refused;
    expect([refused.status, refused.cause]).toMatchObject([401, [{ scheme: 'basic' }]]);
    expect(await refused.response.json()).toMatchObject({ error: 'invalid_client' });
    const other = client.genericGrantRequest(as(id, secret), 'password', {}).catch((error: unknown) => error);
    expect(await other).toMatchObject({ status: 400, error: 'unsupported_grant_type', error_description: expect.any(String) });
  });

  test('is not for other operations of the directory, and one of a partner reads what its scope allows', async () => {
    const { partner, client_secret } = (await create({ scopes: ['menu:read'] })).body;
    const { access_token } = (await token(partner.id, client_secret)).body;
    // As in a service that accepts the directory’s tokens: this one accepts its own issuer’s.
    const asPartner = { token: await running.issuer.token({ ...decodeJwt(access_token), iss: running.issuer.issuer, typ: 'partner' }) };
    expect((await shop.get('/menu', asPartner)).status).toBe(200);
    expect(refusal(await shop.get('/programme', asPartner))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(refusal(await shop.get('/partners', asPartner))).toEqual([403, 'WRONG_TOKEN_TYPE']);
    const other = await openShop(running);
    expect(refusal(await other.get('/menu', asPartner))).toEqual([403, 'STORE_FORBIDDEN']);
  });
});

describe('a partner', () => {
  test('is created by an owner, whose request shows the secret again for ten minutes, and no list has it', async () => {
    const key = randomUUID();
    const first = (await create({}, { key })).body;
    expect(first).toEqual({
      partner: {
        id: expect.any(String),
        name: 'Ledgerly',
        scopes: ['orders:read', 'reports:read'],
        store_ids: [shop.storeId],
        created_at: '2026-05-01T11:00:00.000000Z',
        secrets: [{ created_at: '2026-05-01T11:00:00.000000Z', expires_at: null }],
      },
      client_secret: expect.stringMatching(/^corner_[\w-]{43}$/),
    });
    running.clock.advance({ minutes: 9 });
    expect((await create({}, { key })).body).toEqual(first);
    running.clock.advance({ minutes: 2 });
    expect((await create({}, { key })).body).toEqual({ ...first, client_secret: null });
    expect((await shop.get('/partners')).body).toEqual({ partners: [first.partner] });
    const [stored] = await running.service.database.any(sql.type(z.object({ row: z.string() }))`
      select to_jsonb(s)::text as row from partner_secret s where partner_id = ${first.partner.id}`);
    expect(stored?.row).not.toContain(first.client_secret.slice(7));
  });

  test('is for owners alone: of each of its stores, and as the directory has it now', async () => {
    for (const role of ['staff', 'manager'] as const) {
      expect(refusal(await shop.get('/partners', { role }))).toEqual([403, 'INSUFFICIENT_ROLE']);
      expect(refusal(await create({}, { role }))).toEqual([403, 'INSUFFICIENT_ROLE']);
    }
    const other = await openShop(running);
    expect(refusal(await create({ further_store_ids: [other.storeId] }))).toEqual([403, 'INSUFFICIENT_ROLE']);
    const { id } = await partner();
    expect(refusal(await other.post(`/partners/${id}/withdraw`, {}))).toEqual([404, 'PARTNER_NOT_FOUND']);
    expect(refusal(await other.post(`/partners/${id}/secret`, {}))).toEqual([404, 'PARTNER_NOT_FOUND']);
    const nowhere = randomUUID();
    const ofNone = { token: await running.issuer.token({ typ: 'merchant', stores: [{ id: nowhere, role: 'owner' }] }) };
    const unknown = `//stores/${nowhere}/partners`;
    expect(refusal(await shop.get(unknown, ofNone))).toEqual([404, 'STORE_NOT_FOUND']);
    expect(refusal(await shop.post(unknown, { name: 'No', scopes: ['menu:read'] }, ofNone))).toEqual([404, 'STORE_NOT_FOUND']);
    // A token from before the dismissal, still valid for minutes, is refused.
    const owner = randomUUID();
    await shop.post('/staff', { id: owner, name: 'Gil', role: 'owner' });
    const dismissed = await running.issuer.token({ typ: 'merchant', sub: owner, stores: [{ id: shop.storeId, role: 'owner' }] });
    await shop.patch(`/staff/${owner}`, { role: null });
    expect(refusal(await create({}, { token: dismissed }))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect(refusal(await shop.post(`/partners/${id}/secret`, {}, { token: dismissed }))).toEqual([403, 'INSUFFICIENT_ROLE']);
  });

  test('of two stores is withdrawn from one at a time, and gets no new secret from someone who owns only one', async () => {
    const other = await openShop(running);
    await other.post('/staff', { id: shop.ownerId, name: 'Bo', role: 'owner' });
    const stores = [shop.storeId, other.storeId].map((id) => ({ id, role: 'owner' }) as const);
    const both = { token: await running.issuer.token({ typ: 'merchant', sub: shop.ownerId, name: 'Bo', stores }) };
    const { partner, client_secret } = (await create({ further_store_ids: [other.storeId] }, both)).body;
    expect(partner.store_ids.toSorted()).toEqual([shop.storeId, other.storeId].toSorted());
    expect(refusal(await other.post(`/partners/${partner.id}/secret`, {}))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect((await other.post(`/partners/${partner.id}/withdraw`, {})).body.partner.store_ids).toEqual([shop.storeId]);
    const claims = decodeJwt((await token(partner.id, client_secret)).body.access_token);
    expect(claims.stores).toEqual([{ id: shop.storeId, role: 'staff' }]);
    expect((await other.get('/partners')).body).toEqual({ partners: [] });
  });

  test('that is withdrawn gets no token any more, once or twice, and the log of the store says who did what', async () => {
    const { id, secret } = await partner();
    await shop.post(`/partners/${id}/secret`, {});
    for (const _ of [1, 2]) {
      const { status, body } = await shop.post(`/partners/${id}/withdraw`, {});
      expect([status, body.partner.store_ids, body.partner.secrets]).toEqual([200, [], []]);
    }
    expect(await isAccepted(id, secret)).toBe(false);
    expect(refusal(await shop.post(`/partners/${id}/secret`, {}))).toEqual([404, 'PARTNER_NOT_FOUND']);
    const { entries } = (await shop.get('/log')).body;
    expect(entries.filter(({ object_id }: { object_id: string }) => object_id === id)).toMatchObject([
      { title: 'Withdrew the partner Ledgerly.', by: { name: 'Bo' }, kind: 'partner', version: 3 },
      { title: 'Made a new secret of a partner.', by: { name: 'Bo' } },
      { title: 'Let the partner Ledgerly in.', by: { name: 'Bo' }, fields: [{ field: 'name' }, { to: 'orders:read reports:read' }] },
    ]);
  });

  test('would be one of 51 of a store: it is refused', async () => {
    await running.service.database.query(sql.type(z.object({}))`
      with made as (insert into partner (id, name, scopes, created_at)
        select gen_random_uuid(), 'One', '{menu:read}', now() from generate_series(1, 50) returning id)
      insert into partner_store (partner_id, store_id) select id, ${shop.storeId} from made`);
    expect((await create()).body.error.message).toContain('at most 50 partners');
  });
});

describe('a new secret', () => {
  test('is accepted beside the one before for the hours that were asked for; an older one is refused at once', async () => {
    const { id, secret: first } = await partner();
    const key = randomUUID();
    const { client_secret: second } = (await shop.post(`/partners/${id}/secret`, { old_valid_hours: 2 }, { key })).body;
    expect((await shop.post(`/partners/${id}/secret`, { old_valid_hours: 2 }, { key })).body.client_secret).toBe(second);
    expect([await isAccepted(id, first), await isAccepted(id, second)]).toEqual([true, true]);
    const { client_secret: third } = (await shop.post(`/partners/${id}/secret`, { old_valid_hours: 2 })).body;
    expect([await isAccepted(id, first), await isAccepted(id, second), await isAccepted(id, third)]).toEqual([false, true, true]);
    running.clock.advance({ hours: 3 });
    expect([await isAccepted(id, second), await isAccepted(id, third)]).toEqual([false, true]);
    await shop.post(`/partners/${id}/secret`, { old_valid_hours: 0 });
    expect(await isAccepted(id, third)).toBe(false);
  });
});

test('a deployment whose tokens come from elsewhere has no partners', async () => {
  const plain = await startRunning();
  const there = await openShop(plain);
  const refused = await there.post('/partners', { name: 'Ledgerly', scopes: ['menu:read'] });
  expect(refusal(refused)).toEqual([409, 'TOKENS_ISSUED_ELSEWHERE']);
  await plain[Symbol.asyncDispose]();
});
