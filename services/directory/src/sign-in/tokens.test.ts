// covers: exchangeToken, refreshToken, endSession, createGuest, readSigningKeys
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { sql } from 'slonik';
import { z } from 'zod';
import { exchange, outcome, type Reply, refresh, send, signingKey, startProvider, type TestProvider } from '../testing/provider.ts';
import { newestSnapshot } from '../testing/published.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop } from '../testing/shop.ts';
import { deleteSessions } from './jobs.ts';

const start = '2026-05-01T11:00:00Z';
let provider: TestProvider;
let running: Running;
const operator = randomUUID();
const keys = [signingKey(), signingKey()];
beforeAll(async () => {
  provider = await startProvider(() => running.clock.now());
  running = await startRunning({
    settings: {
      TOKEN_SIGNING_KEYS: JSON.stringify(keys),
      SIGN_IN_PROVIDERS: JSON.stringify([provider.entry]),
      OPERATORS: JSON.stringify([{ issuer: provider.issuer, subject: operator, scope: 'operator:read' }]),
    },
  });
});
beforeEach(() => running.clock.set(start));
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const signIn = async (sub: string, typ: 'customer' | 'team' = 'customer', claims: object = {}): Promise<Reply> =>
  exchange(running, await provider.idToken({ sub, ...claims }), { typ });
const guest = (body: object = {}, key?: string) => send(running, '/guests', body, key);

async function claimsIn({ body }: Reply) {
  const published = await (await fetch(`${running.service.url}/api/v1/directory/keys`)).json();
  const verified = await jwtVerify(body.access_token, createLocalJWKSet(published as never), {
    issuer: running.issuer.issuer,
    audience: 'api',
    algorithms: ['ES256'],
    currentDate: running.clock.now(),
  });
  return verified.payload;
}

describe('an ID token of a provider', () => {
  test('signs a customer in, and the first time makes their profile with the name and the verified address', async () => {
    const sub = randomUUID();
    const reply = await signIn(sub, 'customer', { name: 'Ana', email: 'ana@example.com', email_verified: 'true' });
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        access_token: expect.any(String),
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: 900,
        scope: 'customer:read',
        refresh_token: expect.any(String),
        refresh_expires_in: 90 * 86_400,
        subject: { id: expect.any(String), typ: 'customer', name: 'Ana' },
        guest: null,
      },
    ]);
    const { id } = reply.body.subject;
    expect(await claimsIn(reply)).toMatchObject({ sub: id, typ: 'customer', name: 'Ana', scope: 'customer:read', stores: [] });
    expect((await newestSnapshot(running, 'customer', id)).data).toMatchObject({ id, version: 1, name: 'Ana', email: 'ana@example.com' });
    const again = await signIn(sub, 'customer', { name: 'Another', email: 'else@example.com', email_verified: 'true' });
    expect(again.body.subject).toEqual({ id, typ: 'customer', name: 'Ana' });
    expect((await newestSnapshot(running, 'customer', id)).data).toMatchObject({ version: 1, email: 'ana@example.com' });
  });

  test('confirms the address that the customer had typed as a guest, and no other', async () => {
    for (const [typed, verified] of [
      ['Ana@example.com', undefined],
      ['else@example.com', false],
    ] as const) {
      const { body } = await guest();
      const { subject, refresh_token } = body;
      const token = await running.issuer.token({ typ: 'customer', sub: subject.id });
      const me = `${running.service.url}/api/v1/directory/me`;
      const authorization = `Bearer ${token}`;
      const etag = (await fetch(me, { headers: { authorization } })).headers.get('etag') ?? '';
      const changed = await fetch(me, {
        method: 'PATCH',
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID(), 'if-match': etag },
        body: JSON.stringify({ email: typed }),
      });
      expect(changed.status).toBe(200);
      expect((await newestSnapshot(running, 'customer', subject.id)).data).toMatchObject({ email: typed, email_verified: false });
      const sub = randomUUID();
      const claims = { sub, email: 'ana@example.com', email_verified: true };
      const joined = await exchange(running, await provider.idToken(claims), { typ: 'customer', guest_refresh_token: refresh_token });
      expect(joined.body.subject.id).toBe(subject.id);
      const after = (await newestSnapshot(running, 'customer', subject.id)).data as { email_verified?: boolean };
      expect([typed, after.email_verified]).toEqual([typed, verified]);
    }
  });

  test('with an address that the provider has not verified, and a name of odd characters, gives a profile without the address', async () => {
    const { body } = await signIn(randomUUID(), 'customer', {
      name: ' Ana\u0000\nB \ud800',
      email: 'ana@example.com',
      email_verified: 'no',
    });
    expect((await newestSnapshot(running, 'customer', body.subject.id)).data).toMatchObject({ name: 'Ana B \ufffd', email: null });
    const odd = await signIn(randomUUID(), 'customer', { email: 'a\u0000@example.com', email_verified: true });
    expect((await newestSnapshot(running, 'customer', odd.body.subject.id)).data).toMatchObject({ email: null });
  });

  test('of two first sign-ins at once makes one person', async () => {
    const sub = randomUUID();
    const both = await Promise.all([1, 2, 3, 4].map(() => signIn(sub)));
    expect(new Set(both.map(({ body }) => body.subject.id)).size).toBe(1);
    expect(both.map(outcome)).toEqual(['200', '200', '200', '200']);
  });

  test('signs a newcomer of the team in as a merchant without a store, who can create one and has it after a refresh', async () => {
    const sub = randomUUID();
    const first = await signIn(sub, 'team', { name: 'Bo' });
    expect(first.body.subject).toMatchObject({ typ: 'merchant', name: 'Bo' });
    const { sub: personId } = await claimsIn(first);
    const token = await running.issuer.token({ typ: 'merchant', sub: String(personId), name: 'Bo' });
    const created = await send(running, '/stores', { code: randomUUID().slice(0, 8), name: 'Corner' }, undefined, token);
    const id = created.body.store.id;
    const next = await refresh(running, first.body.refresh_token);
    expect(await claimsIn(next)).toMatchObject({ typ: 'merchant', scope: 'merchant:read', stores: [{ id, role: 'owner' }] });
  });

  test('is one person as a customer and another one in the team', async () => {
    const sub = randomUUID();
    const [customer, team] = [await signIn(sub), await signIn(sub, 'team')];
    expect(customer.body.subject.id).not.toBe(team.body.subject.id);
  });

  test('of an operator gives the scope that the deployment lists, and no store', async () => {
    const reply = await signIn(operator, 'team', { name: 'Olu' });
    expect(await claimsIn(reply)).toMatchObject({ typ: 'operator', scope: 'operator:read', stores: [] });
    expect((await signIn(operator)).body.subject.typ).toBe('customer');
  });

  test('is exchanged once, also by two at once; the same Idempotency-Key gets the same session again', async () => {
    const token = await provider.idToken();
    const key = randomUUID();
    const first = await exchange(running, token, {}, key);
    const second = await exchange(running, token, {}, key);
    expect(second.body.refresh_token).toBe(first.body.refresh_token);
    expect(outcome(await exchange(running, token, {}, randomUUID()))).toBe('409 ID_TOKEN_USED');
    const other = await provider.idToken();
    const both = await Promise.all([exchange(running, other), exchange(running, other)]);
    expect(both.map(outcome).toSorted()).toEqual(['200', '409 ID_TOKEN_USED']);
  });

  test('under the Idempotency-Key of another one gets no session of theirs, also after the key was forgotten', async () => {
    const key = randomUUID();
    expect((await exchange(running, await provider.idToken(), {}, key)).status).toBe(200);
    await running.service.database.query(sql.type(z.object({}))`delete from idempotency_key where key = ${key}`);
    expect(outcome(await exchange(running, await provider.idToken(), {}, key))).toBe('422 IDEMPOTENCY_KEY_REUSED');
  });
});

test('no cache on the way keeps tokens', async () => {
  const response = await fetch(`${running.service.url}/api/v1/directory/guests`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
});

describe('a refresh token', () => {
  test('moves on, and the one before gets the same next one for a minute: a lost response, two tabs', async () => {
    const { body } = await signIn(randomUUID());
    const both = await Promise.all([refresh(running, body.refresh_token), refresh(running, body.refresh_token)]);
    expect(new Set(both.map((reply) => reply.body.refresh_token)).size).toBe(1);
    running.clock.advance({ seconds: 60 });
    const late = await refresh(running, body.refresh_token);
    expect(late.body.refresh_token).toBe(both[0]?.body.refresh_token);
    expect(late.body.refresh_token).not.toBe(body.refresh_token);
  });

  test('gets the same next one under the same Idempotency-Key, however late', async () => {
    const { body } = await signIn(randomUUID());
    const key = randomUUID();
    const first = await refresh(running, body.refresh_token, key);
    running.clock.advance({ hours: 30 });
    expect((await refresh(running, body.refresh_token, key)).body.refresh_token).toBe(first.body.refresh_token);
  });

  test('that is used again later ends the session for both who have it, and the log names the session without the token', async () => {
    const { body } = await signIn(randomUUID());
    const thief = await refresh(running, body.refresh_token);
    running.clock.advance({ seconds: 61 });
    expect(outcome(await refresh(running, body.refresh_token))).toBe('401 SESSION_ENDED');
    expect(outcome(await refresh(running, thief.body.refresh_token))).toBe('401 SESSION_ENDED');
    const line = running.lines.findLast(({ msg }) => String(msg).includes('used again'));
    expect(line).toMatchObject({ level: 'warn', session_id: body.refresh_token.split('.')[0] });
    expect(JSON.stringify(running.lines)).not.toContain(body.refresh_token);
  });

  test('two steps behind ends the session at once', async () => {
    const { body } = await signIn(randomUUID());
    const second = await refresh(running, body.refresh_token);
    await refresh(running, second.body.refresh_token);
    expect(outcome(await refresh(running, body.refresh_token))).toBe('401 SESSION_ENDED');
  });

  test.each([
    ['customer', 90 * 24, 365 * 24],
    ['team', 12, 7 * 24],
  ] as const)('of a %s ends after %d hours unused, and after %d hours at most', async (typ, unused, most) => {
    const idle = (await signIn(randomUUID(), typ)).body.refresh_token;
    let used = (await signIn(randomUUID(), typ)).body.refresh_token;
    let hours = 0;
    for (; hours + unused - 1 < most; hours += unused - 1) {
      running.clock.advance({ hours: unused - 1 });
      used = (await refresh(running, used)).body.refresh_token;
    }
    running.clock.set(start);
    running.clock.advance({ hours: most });
    expect(outcome(await refresh(running, used))).toBe('401 SESSION_ENDED');
    running.clock.set(start);
    running.clock.advance({ hours: unused });
    expect(outcome(await refresh(running, idle))).toBe('401 SESSION_ENDED');
  });

  test('ends with its session by endSession, which an unknown one does not fail', async () => {
    const { body } = await signIn(randomUUID());
    const { refresh_token } = (await refresh(running, body.refresh_token)).body;
    expect(await send(running, '/token/revoke', { refresh_token: body.refresh_token })).toEqual({ status: 200, body: {} });
    expect(outcome(await refresh(running, refresh_token))).toBe('401 SESSION_ENDED');
    expect((await send(running, '/token/revoke', { refresh_token })).status).toBe(200);
    expect((await send(running, '/token/revoke', { refresh_token: 'no token' })).status).toBe(200);
  });

  test.each(['', 'x', '.', '..', 'a.b.c', `${randomUUID()}.1.`, `${randomUUID()}.1.${'A'.repeat(43)}`])('%j is refused', async (token) => {
    expect(outcome(await refresh(running, token))).toBe(token === '' ? '400 VALIDATION_FAILED' : '401 SESSION_ENDED');
  });

  test('with another number, or of another purpose, is refused', async () => {
    const { body } = await signIn(randomUUID());
    const [id, , code] = body.refresh_token.split('.');
    expect(outcome(await refresh(running, `${id}.2.${code}`))).toBe('401 SESSION_ENDED');
    expect((await refresh(running, body.refresh_token)).status).toBe(200);
  });

  test('of a session that ended is deleted a day later, and no other', async () => {
    const { body } = await signIn(randomUUID(), 'team');
    const kept = (await signIn(randomUUID())).body.refresh_token;
    running.clock.advance({ hours: 37 });
    await deleteSessions(running.service.context);
    running.clock.set(start);
    expect(outcome(await refresh(running, body.refresh_token))).toBe('401 SESSION_ENDED');
    expect((await refresh(running, kept)).status).toBe(200);
  });
});

describe('a guest', () => {
  test('is a customer with a language, whose refresh token is valid for a year after each use', async () => {
    const reply = await guest({ language: 'fr-CA' });
    expect(reply.body).toMatchObject({ refresh_expires_in: 365 * 86_400, subject: { typ: 'customer', name: null } });
    const { id } = reply.body.subject;
    expect((await newestSnapshot(running, 'customer', id)).data).toMatchObject({ id, version: 1, name: null, language: 'fr' });
    let token = reply.body.refresh_token;
    for (let year = 0; year < 3; year += 1) {
      running.clock.advance({ hours: 364 * 24 });
      token = (await refresh(running, token)).body.refresh_token;
    }
    expect(token).toEqual(expect.any(String));
  });

  test('is the same one for a repeat with the same key, until its tokens are refreshed or ten minutes have passed', async () => {
    const key = randomUUID();
    const [first, second] = await Promise.all([guest({}, key), guest({}, key)]);
    const again = await guest({}, key);
    expect([first, second].filter(({ status }) => status === 200).map(({ body }) => body.subject.id)).toContain(again.body.subject.id);
    await refresh(running, again.body.refresh_token);
    expect(outcome(await guest({}, key))).toBe('422 IDEMPOTENCY_KEY_REUSED');
    const other = randomUUID();
    await guest({}, other);
    running.clock.advance({ minutes: 10 });
    expect(outcome(await guest({}, other))).toBe('422 IDEMPOTENCY_KEY_REUSED');
  });

  test('has no further token by the key that made it, once it signed in to an account', async () => {
    const key = randomUUID();
    const { body } = await guest({}, key);
    const joined = await exchange(running, await provider.idToken(), { guest_refresh_token: body.refresh_token });
    expect(joined.body).toMatchObject({ guest: 'joined', subject: { id: body.subject.id } });
    expect(outcome(await guest({}, key))).toBe('422 IDEMPOTENCY_KEY_REUSED');
  });

  test('becomes the customer of a new account, keeps what they said of themselves, and their refresh token ends', async () => {
    const { body } = await guest();
    const { id } = body.subject;
    const sub = randomUUID();
    const token = await running.issuer.token({ typ: 'customer', sub: id });
    const shop = await openShop(running);
    await shop.patch('//me', { name: 'A.' }, { token });
    const idToken = await provider.idToken({ sub, name: 'Ana', email: 'ana@example.com', email_verified: true });
    const key = randomUUID();
    const joining = { guest_refresh_token: body.refresh_token };
    const joined = await exchange(running, idToken, joining, key);
    expect(joined.body).toMatchObject({ guest: 'joined', subject: { id, name: 'A.' } });
    expect((await newestSnapshot(running, 'customer', id)).data).toMatchObject({ name: 'A.', email: 'ana@example.com' });
    expect((await exchange(running, idToken, joining, key)).body).toMatchObject({ guest: 'joined', subject: { id } });
    expect(outcome(await refresh(running, body.refresh_token))).toBe('401 SESSION_ENDED');
    expect((await signIn(sub)).body.subject.id).toBe(id);
  });

  test('stays a guest when the account has a customer', async () => {
    const sub = randomUUID();
    const { id } = (await signIn(sub)).body.subject;
    const { body } = await guest();
    const reply = await exchange(running, await provider.idToken({ sub }), { guest_refresh_token: body.refresh_token });
    expect(reply.body).toMatchObject({ guest: 'kept', subject: { id } });
    expect((await refresh(running, body.refresh_token)).status).toBe(200);
  });

  test('who signs in to two accounts at once becomes that of one', async () => {
    const { body } = await guest();
    const tokens = await Promise.all([1, 2].map(() => provider.idToken()));
    const both = await Promise.all(tokens.map((token) => exchange(running, token, { guest_refresh_token: body.refresh_token })));
    expect(both.map((reply) => reply.body.guest).toSorted()).toEqual(['ended', 'joined']);
    expect(new Set(both.map((reply) => reply.body.subject.id)).size).toBe(2);
  });

  test('is not taken from a session that ended, of an account, or that is made up: the sign-in succeeds without', async () => {
    const { body } = await guest();
    await send(running, '/token/revoke', { refresh_token: body.refresh_token });
    const account = (await signIn(randomUUID())).body;
    for (const guest_refresh_token of [body.refresh_token, account.refresh_token, 'made.up']) {
      const reply = await exchange(running, await provider.idToken(), { guest_refresh_token });
      expect([reply.status, reply.body.guest]).toEqual([200, 'ended']);
      expect([body.subject.id, account.subject.id]).not.toContain(reply.body.subject.id);
    }
  });

  test('does not become one of the team', async () => {
    const { body } = await guest();
    const more = { typ: 'team', guest_refresh_token: body.refresh_token };
    const reply = await exchange(running, await provider.idToken(), more);
    expect(reply.body).toMatchObject({ guest: 'kept' });
    expect(reply.body.subject.id).not.toBe(body.subject.id);
  });
});

test('the public keys are those of all signing keys, the first signs, and a repeat with their ETag gets 304', async () => {
  const address = `${running.service.url}/api/v1/directory/keys`;
  const response = await fetch(address);
  const { keys: shown } = (await response.json()) as { keys: { kid: string; d?: string }[] };
  expect(shown).toHaveLength(2);
  expect(JSON.stringify(shown)).not.toContain('"d"');
  expect(decodeProtectedHeader((await signIn(randomUUID())).body.access_token)).toEqual({ alg: 'ES256', kid: shown[0]?.kid, typ: 'JWT' });
  expect((await fetch(address, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } })).status).toBe(304);
});

describe('without signing keys', () => {
  let plain: Running;
  beforeAll(async () => {
    plain = await startRunning();
  });
  afterAll(async () => await plain[Symbol.asyncDispose]());

  test('every operation of tokens says that they come from elsewhere, and the rest works', async () => {
    const token = await provider.idToken();
    const replies = [
      await exchange(plain, token),
      await refresh(plain, 'a.1.b'),
      await send(plain, '/token/revoke', { refresh_token: 'a.1.b' }),
      await send(plain, '/guests', {}),
    ];
    expect(new Set(replies.map(outcome))).toEqual(new Set(['409 TOKENS_ISSUED_ELSEWHERE']));
    expect((await fetch(`${plain.service.url}/api/v1/directory/keys`)).status).toBe(409);
    expect((await (await openShop(plain)).get('')).status).toBe(200);
  });
});
