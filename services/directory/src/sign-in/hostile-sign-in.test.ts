// covers: exchangeToken, startStaffSession
import { createHmac, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { base64url, type JWTPayload, SignJWT } from 'jose';
import { sql } from 'slonik';
import { z } from 'zod';
import { exchange, outcome, refresh, send, signingKey, startProvider, type TestProvider } from '../testing/provider.ts';
import { type Running, startRunning } from '../testing/running.ts';

let provider: TestProvider;
let stranger: TestProvider;
let running: Running;
let plain: Running;
beforeAll(async () => {
  const now = () => running.clock.now();
  [provider, stranger] = await Promise.all([startProvider(now), startProvider(now)]);
  const entries = [
    { ...provider.entry, client_ids: ['shop'], typ: 'customer' },
    { ...provider.entry, client_ids: ['console', 'board'], typ: 'team' },
  ];
  running = await startRunning({
    settings: { TOKEN_SIGNING_KEYS: JSON.stringify(signingKey()), SIGN_IN_PROVIDERS: JSON.stringify(entries) },
  });
  plain = await startRunning();
});
beforeEach(() => running.clock.set('2026-05-01T11:00:00Z'));
afterAll(async () => {
  for (const started of [running, plain, provider, stranger]) await started[Symbol.asyncDispose]();
});

const seconds = (): number => Math.floor(running.clock.now().getTime() / 1000);
const part = (value: object): string => base64url.encode(JSON.stringify(value));
const claims = (): JWTPayload => ({ iss: provider.issuer, aud: 'shop', sub: randomUUID(), iat: seconds(), exp: seconds() + 900 });

describe('an ID token is refused', () => {
  const ways: readonly [string, () => Promise<string>][] = [
    ['that is an access token by its header', () => provider.idToken({}, { typ: 'at+jwt' })],
    ['that is a logout token by its header', () => provider.idToken({}, { typ: 'logout+jwt' })],
    [
      'that is a logout token by its claims',
      () => provider.idToken({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }),
    ],
    ['that is an access token by its claims', () => provider.idToken({ typ: 'Bearer' })],
    ['that is an access token of ours by its claims', () => provider.idToken({ typ: 'customer' })],
    ['for another client', () => provider.idToken({ aud: 'someone-elses' })],
    ['for a client of the team, as a customer', () => provider.idToken({ aud: 'console' })],
    ['for several clients without saying which', () => provider.idToken({ aud: ['shop', 'console'] })],
    ['for several clients that another one asked for', () => provider.idToken({ aud: ['shop', 'other'], azp: 'other' })],
    ['that another client asked for', () => provider.idToken({ azp: 'other' })],
    ['without an audience', () => provider.idToken({ aud: undefined as never })],
    ['of an issuer that is not ours', () => stranger.idToken()],
    ['of another issuer in our issuer’s name', () => stranger.idToken({ iss: provider.issuer })],
    ['whose issuer differs by a slash', () => provider.idToken({ iss: `${provider.issuer}/` })],
    ['without an issuer', () => provider.idToken({ iss: undefined as never })],
    ['without a subject', () => provider.idToken({ sub: '' })],
    ['whose subject is too long', () => provider.idToken({ sub: 'x'.repeat(256) })],
    ['whose subject is no text', () => provider.idToken({ sub: { id: 1 } as never })],
    ['whose subject holds what is not stored as it is', () => provider.idToken({ sub: 'a\u0000b' })],
    ['whose subject would be stored as another one', () => provider.idToken({ sub: 'a\ud800' })],
    ['that expired', () => provider.idToken({ exp: seconds() - 31 })],
    ['without an expiry', () => provider.idToken({ exp: undefined as never })],
    ['of the future', () => provider.idToken({ iat: seconds() + 120 })],
    ['that is not valid yet', () => provider.idToken({ nbf: seconds() + 120 })],
    ['that is eleven minutes old', () => provider.idToken({ iat: seconds() - 660 })],
    ['without a time', () => provider.idToken({ iat: undefined as never })],
    [
      'with an unknown extension',
      () => provider.idToken({}, { crit: ['x'], x: 1 }).catch(() => `${part({ alg: 'ES256', crit: ['x'], x: 1 })}.${part(claims())}.AA`),
    ],
    ['without a signature', async () => `${part({ alg: 'none' })}.${part(claims())}.`],
    ['with the algorithm none and a signature', async () => `${part({ alg: 'none' })}.${part(claims())}.AA`],
    [
      'whose secret is the public key',
      async () => {
        const head = `${part({ alg: 'HS256', kid: 'provider-key' })}.${part(claims())}`;
        const secret = createPublicKey(provider.privateKey).export({ type: 'spki', format: 'pem' });
        return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
      },
    ],
    [
      'by an algorithm that is not on the list',
      async () => {
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
        return await new SignJWT(claims()).setProtectedHeader({ alg: 'ES384', kid: 'provider-key' }).sign(privateKey);
      },
    ],
    [
      'that brings its own key',
      async () => {
        const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
        const header = {
          alg: 'ES256',
          kid: 'provider-key',
          jwk: publicKey.export({ format: 'jwk' }) as never,
          jku: `${stranger.issuer}/jwks`,
        };
        return await new SignJWT(claims()).setProtectedHeader(header).sign(privateKey);
      },
    ],
    [
      'whose claims were exchanged',
      async () => {
        const [head, , signature] = (await provider.idToken()).split('.');
        return `${head}.${part(claims())}.${signature}`;
      },
    ],
    ['that is no JWT', async () => 'not a token'],
    ['that is JSON of something else', async () => `${part([])}.${part([])}.AA`],
  ];
  test.each(ways)('%s', async (_, make) => {
    const token = await make();
    const reply = await exchange(running, token);
    expect(outcome(reply)).toBe('401 ID_TOKEN_INVALID');
    const said = `${JSON.stringify(reply.body)}${JSON.stringify(running.lines)}`;
    expect(said).not.toContain(token);
  });

  test('in another spelling of its signature, once it is used', async () => {
    const token = await provider.idToken();
    expect((await exchange(running, token)).status).toBe(200);
    const [head, body, signature = ''] = token.split('.');
    // With a signature (r, s) of ECDSA, (r, n - s) is valid too.
    const bytes = Buffer.from(signature, 'base64url');
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const other = (order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)).toString(16).padStart(64, '0');
    const twin = Buffer.concat([bytes.subarray(0, 32), Buffer.from(other, 'hex')]).toString('base64url');
    expect(outcome(await exchange(running, `${head}.${body}.${twin}`))).toBe('409 ID_TOKEN_USED');
  });

  test('of the team’s client by its own kind alone', async () => {
    expect(outcome(await exchange(running, await provider.idToken(), { typ: 'team' }))).toBe('401 ID_TOKEN_INVALID');
    expect((await exchange(running, await provider.idToken({ aud: 'board', azp: 'console' }), { typ: 'team' })).status).toBe(200);
  });
});

describe('a token of ours', () => {
  test('is no ID token, and a refresh token is no access token', async () => {
    const { body } = await exchange(running, await provider.idToken());
    expect(outcome(await exchange(running, body.access_token))).toBe('401 ID_TOKEN_INVALID');
    expect(outcome(await send(running, '/guests', {}, undefined, body.refresh_token))).toBe('401 UNAUTHENTICATED');
    expect(outcome(await refresh(running, body.access_token))).toBe('401 SESSION_ENDED');
  });

  test('of a session that a thief continues ends for the thief at the latest when its owner comes back', async () => {
    const { body } = await exchange(running, await provider.idToken());
    let stolen = body.refresh_token;
    for (let n = 0; n < 5; n += 1) {
      running.clock.advance({ minutes: 15 });
      stolen = (await refresh(running, stolen)).body.refresh_token;
    }
    expect(outcome(await refresh(running, body.refresh_token))).toBe('401 SESSION_ENDED');
    expect(outcome(await refresh(running, stolen))).toBe('401 SESSION_ENDED');
    expect(outcome(await refresh(running, stolen))).toBe('401 SESSION_ENDED');
  });
});

test('a provider whose keys cannot be read is no fault of the caller: 503, and the token is good afterwards', async () => {
  const away = await startProvider(() => running.clock.now());
  away.away = true;
  const settings = { TOKEN_SIGNING_KEYS: JSON.stringify(signingKey()), SIGN_IN_PROVIDERS: JSON.stringify([away.entry]) };
  const at = running.clock.now().toISOString();
  await using first = await startRunning({ at, settings });
  const token = await away.idToken();
  expect(outcome(await exchange(first, token))).toBe('503 UPSTREAM_UNAVAILABLE');
  away.away = false;
  away.discovery = { issuer: 'https://elsewhere.example' };
  await using second = await startRunning({ at, settings });
  expect(outcome(await exchange(second, token))).toBe('503 UPSTREAM_UNAVAILABLE');
  away.discovery = {};
  await using third = await startRunning({ at, settings });
  expect((await exchange(third, token)).status).toBe(200);
  await away[Symbol.asyncDispose]();
});

describe('a provider whose subject is our id', () => {
  let own: Running;
  beforeAll(async () => {
    const entry = { ...provider.entry, subject_is_id: true };
    own = await startRunning({
      settings: { TOKEN_SIGNING_KEYS: JSON.stringify(signingKey()), SIGN_IN_PROVIDERS: JSON.stringify([entry, stranger.entry]) },
    });
  });
  afterAll(async () => await own[Symbol.asyncDispose]());

  test('signs in the person with that id, whom a guest does not become', async () => {
    const sub = randomUUID();
    const guest = await send(own, '/guests', {});
    const more = { guest_refresh_token: guest.body.refresh_token };
    const reply = await exchange(own, await provider.idToken({ sub: sub.toUpperCase() }), more);
    expect(reply.body).toMatchObject({ subject: { id: sub }, guest: 'kept' });
    expect((await exchange(own, await provider.idToken({ sub }))).body.subject.id).toBe(sub);
    expect(outcome(await exchange(own, await provider.idToken({ sub: 'ana' })))).toBe('401 ID_TOKEN_INVALID');
  });

  test('signs in the same person when it has moved to another address, and their session goes on', async () => {
    const sub = randomUUID();
    const before = await exchange(own, await provider.idToken({ sub }));
    await own.service.database.query(sql.type(z.object({}))`
      with a as (update account set issuer = 'https://before.example' where subject = ${sub})
      update session set issuer = 'https://before.example' where subject = ${sub}`);
    expect((await exchange(own, await provider.idToken({ sub }))).body).toMatchObject({ subject: { id: sub } });
    expect((await exchange(own, await provider.idToken({ sub }))).status).toBe(200);
    expect((await refresh(own, before.body.refresh_token)).body).toMatchObject({ subject: { id: sub } });
  });

  test('does not sign in as a person of another provider', async () => {
    const { id } = (await exchange(own, await stranger.idToken())).body.subject;
    expect(outcome(await exchange(own, await provider.idToken({ sub: id })))).toBe('401 ID_TOKEN_INVALID');
  });
});

test('without signing keys no staff session begins', async () => {
  const id = randomUUID();
  const token = await plain.issuer.token({ typ: 'staff', stores: [{ id, role: 'staff' }] });
  expect(outcome(await send(plain, `/stores/${id}/staff-sessions`, {}, undefined, token))).toBe('409 TOKENS_ISSUED_ELSEWHERE');
});
