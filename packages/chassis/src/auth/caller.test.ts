import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anyone, type CallerRule, customer, manager, merchant, orPartner, type Problem, type Role, roles, scoped } from '@corner/contracts';
import { fixedClock, testIssuer } from '@corner/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, type JWTVerifyGetKey, SignJWT, UnsecuredJWT } from 'jose';
import { type Authenticate, admit, admitToStore, anonymous, type Caller, createAuthenticate, hasRole } from './caller.ts';

const clock = fixedClock('2026-05-01T12:00:00Z');
const issuer = 'https://issuer.example';
const seconds = () => Math.floor(clock.now().getTime() / 1000);
let keys: { privateKey: CryptoKey; publicKey: CryptoKey };
let authenticate: Authenticate;

beforeAll(async () => {
  keys = await generateKeyPair('ES256');
  const jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' }] };
  authenticate = createAuthenticate({ issuer, audience: 'api', keys: createLocalJWKSet(jwks), now: clock.now });
});

const claims = (over: JWTPayload = {}): JWTPayload => ({
  iss: issuer,
  aud: 'api',
  sub: randomUUID(),
  typ: 'customer',
  iat: seconds(),
  exp: seconds() + 900,
  ...over,
});
const signed = (
  payload: JWTPayload,
  header: { alg: string; kid: string } = { alg: 'ES256', kid: 'k1' },
  key: CryptoKey | Uint8Array = keys.privateKey,
) => new SignJWT(payload).setProtectedHeader(header).sign(key);

test('a valid token gives the caller, with stores and roles', async () => {
  const sub = randomUUID().toUpperCase();
  const caller = await authenticate(
    `Bearer ${await signed(claims({ sub, typ: 'staff', name: 'Cy', scope: 'a b', stores: [{ id: 'S', role: 'manager' }] }))}`,
  );
  expect(caller).toMatchObject({ type: 'staff', id: sub.toLowerCase(), name: 'Cy' });
  expect([...(caller?.stores ?? [])]).toEqual([['s', 'manager']]);
  expect([...(caller?.scopes ?? [])]).toEqual(['a', 'b']);
});

test('a request without a header has no caller', async () => {
  expect(await authenticate(undefined)).toBeNull();
});

test('a token is verified once, however many requests it comes with', async () => {
  let verifications = 0;
  const keySet = createLocalJWKSet({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' }] });
  const countKeys: JWTVerifyGetKey = (...args) => {
    verifications += 1;
    return keySet(...args);
  };
  const counted = createAuthenticate({ issuer, audience: 'api', keys: countKeys, now: clock.now });
  const authorization = `Bearer ${await signed(claims())}`;
  const callers = [await counted(authorization), await counted(authorization), counted.remembered(authorization)];
  expect(new Set(callers.map((caller) => caller?.id)).size).toBe(1);
  expect(verifications).toBe(1);
});

describe('refused with 401', () => {
  const refused: [string, () => Promise<string>][] = [
    ['another scheme', async () => 'Basic abc'],
    ['no token at all', async () => 'Bearer '],
    ['an expired one', async () => `Bearer ${await signed(claims({ exp: seconds() - 60 }))}`],
    ['one without end', async () => `Bearer ${await signed({ iss: issuer, aud: 'api', sub: 'x', typ: 'customer' })}`],
    ['another audience', async () => `Bearer ${await signed(claims({ aud: 'staff-session' }))}`],
    ['another issuer', async () => `Bearer ${await signed(claims({ iss: 'https://evil.example' }))}`],
    ['an unknown kind', async () => `Bearer ${await signed(claims({ typ: 'admin' }))}`],
    ['an unknown key', async () => `Bearer ${await signed(claims(), { alg: 'ES256', kid: 'k2' })}`],
    ['another’s signature', async () => `Bearer ${await signed(claims(), undefined, (await generateKeyPair('ES256')).privateKey)}`],
    ['a shared secret', async () => `Bearer ${await signed(claims(), { alg: 'HS256', kid: 'k1' }, new Uint8Array(32))}`],
    ['no signature', async () => `Bearer ${new UnsecuredJWT(claims()).encode()}`],
  ];
  test.each(refused)('%s', async (_, header) => {
    await expect(authenticate(await header())).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      headers: { 'WWW-Authenticate': expect.stringContaining('Bearer') },
    });
  });
});

test('a token is refused once it has expired, even when it was verified before', async () => {
  const header = `Bearer ${await signed(claims({ exp: seconds() + 10 }))}`;
  await authenticate(header);
  clock.advance({ seconds: 60 });
  await expect(authenticate(header)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('a token gets 503, not 401, while the signing keys cannot be fetched', async () => {
  const away = createAuthenticate({ issuer, audience: 'api', keys: 'http://127.0.0.1:9/jwks', now: clock.now });
  await expect(away(`Bearer ${await signed(claims())}`)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
});

test('tokens of the test issuer are valid', async () => {
  const sub = randomUUID();
  const made = await testIssuer();
  const theirs = createAuthenticate({
    issuer: made.issuer,
    audience: made.audience,
    keys: createLocalJWKSet(made.jwks),
    now: () => new Date(),
  });
  expect(await theirs(`Bearer ${await made.token({ typ: 'customer', sub })}`)).toMatchObject({ type: 'customer', id: sub });
});

test.each([
  ['responds 503', 503, 'away'],
  ['responds without JSON', 200, 'well'],
  ['responds without a key set', 200, '{"no":"keys"}'],
])('a token gets 503, not 401, while its issuer %s', async (_, status, body) => {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const remote = createAuthenticate({ issuer, audience: 'api', keys: `http://127.0.0.1:${port}/`, now: clock.now });
  const refused = remote(`Bearer ${await signed(claims())}`);
  await expect(refused).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  server.close();
});

describe('a partner', () => {
  const partner = (...scopes: string[]): Caller => ({
    ...anonymous,
    type: 'partner',
    id: 'p',
    scopes: new Set(scopes),
    stores: new Map([['s', 'staff']]),
  });
  const outcome = (act: () => unknown): unknown => {
    try {
      return act() === undefined ? 'let in' : 'admitted';
    } catch (error) {
      return (error as Problem).code;
    }
  };

  test('is refused by every rule that does not name partners, and by one that does without its scope', () => {
    for (const rule of [merchant, manager, customer, scoped(merchant, 'merchant:read')])
      expect(outcome(() => admit(rule, partner('orders:read', 'merchant:read')))).toBe('WRONG_TOKEN_TYPE');
    const open = orPartner(scoped(manager, 'merchant:read'), 'orders:read');
    expect(outcome(() => admit(open, partner('orders:write')))).toBe('INSUFFICIENT_SCOPE');
    expect(outcome(() => admit(open, partner('orders:read')))).toBe('admitted');
    expect(admit(anyone, partner('orders:read')).type).toBe('anonymous');
  });

  test('needs no role at a store of its token, and is refused at any other', () => {
    const open = orPartner(manager, 'orders:read');
    expect(outcome(() => admitToStore(open, partner('orders:read'), 's'))).toBe('let in');
    expect(outcome(() => admitToStore(open, partner('orders:read'), 'other'))).toBe('STORE_FORBIDDEN');
  });

  test('is named as one in logs', async () => {
    const caller = await authenticate(`Bearer ${await signed(claims({ typ: 'partner', name: 'Ledgerly', scope: 'orders:read' }))}`);
    expect(caller).toMatchObject({ type: 'partner', name: 'partner Ledgerly' });
  });
});

describe('at a store', () => {
  const callerWith = (role: Role): Caller => ({ ...anonymous, type: 'staff', id: randomUUID(), stores: new Map([['s', role]]) });
  const codeOf = (rule: CallerRule, caller: Caller, storeId: string): string | null => {
    try {
      admitToStore(rule, caller, storeId);
      return null;
    } catch (error) {
      return (error as Problem).code;
    }
  };

  test('each role does what it may and what the roles below it may', () => {
    const may = roles.map((role) => roles.filter((least) => hasRole(callerWith(role), 's', least)));
    expect(may).toEqual([['staff'], ['staff', 'manager'], ['staff', 'manager', 'owner']]);
  });

  test('an operation of managers refuses staff, and no one by their role at another store', () => {
    expect(roles.map((role) => codeOf(manager, callerWith(role), 's'))).toEqual(['INSUFFICIENT_ROLE', null, null]);
    expect(roles.map((role) => codeOf(manager, callerWith(role), 'other'))).toEqual(roles.map(() => 'STORE_FORBIDDEN'));
  });
});
