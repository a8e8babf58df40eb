import { createHmac, createPublicKey, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FixedClock, fixedClock } from '@corner/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { base64url, CompactSign, exportJWK, exportSPKI, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { type Authenticate, createAuthenticate } from './caller.ts';
import { createSigningKeys } from './signing-keys.ts';

const issuer = 'https://issuer.example';

interface Key {
  readonly kid: string;
  readonly alg: string;
  readonly pair: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
}

const keyNamed = async (kid: string, alg = 'ES256'): Promise<Key> => ({
  kid,
  alg,
  pair: await generateKeyPair(alg, { extractable: true }),
});
const published = async ({ kid, alg, pair }: Key) => ({ ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' });

let clock: FixedClock;
let server: Server;
let jwksUrl: string;
/** The keys the issuer publishes now, how it responds, and how many requests it got. */
let keys: Key[];
let respond: (body: string) => { readonly status: number; readonly body: string };
let requests: number;
let authenticate: Authenticate;

beforeEach(async () => {
  clock = fixedClock('2026-05-01T12:00:00Z');
  keys = [await keyNamed('k1')];
  respond = (body) => ({ status: 200, body });
  requests = 0;
  server = createServer(async (request, response) => {
    requests += 1;
    const set = JSON.stringify({ keys: await Promise.all(keys.map(published)) });
    const { status, body } = request.url === '/jwks' ? respond(set) : { status: 200, body: set };
    response.writeHead(status, { Connection: 'close', Location: '/elsewhere' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  authenticate = fresh();
});

afterEach(() => {
  server.close();
});

const fresh = (): Authenticate =>
  createAuthenticate({ issuer, audience: 'api', keys: createSigningKeys(jwksUrl, () => clock.now().getTime()), now: clock.now });

const seconds = () => Math.floor(clock.now().getTime() / 1000);
const claims = (over: JWTPayload = {}): JWTPayload => ({
  iss: issuer,
  aud: 'api',
  sub: randomUUID(),
  typ: 'customer',
  iat: seconds(),
  exp: seconds() + 900,
  ...over,
});
const first = () => keys[0] as Key;
const token = (key: Key, over: JWTPayload = {}, header: Partial<JWTHeaderParameters> = {}): Promise<string> =>
  new SignJWT(claims(over)).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.pair.privateKey);
const bearer = async (made: string | Promise<string>) => await authenticate(`Bearer ${await made}`);
const refused = (made: string | Promise<string>) => expect(bearer(made)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
const unavailable = (made: string | Promise<string>) => expect(bearer(made)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });

describe('keys are added and removed without a restart', () => {
  test('a new key is fetched for the first token that names it', async () => {
    await bearer(token(first()));
    const second = await keyNamed('k2');
    keys = [first(), second];
    clock.advance({ seconds: 6 });
    expect(await bearer(token(second))).toMatchObject({ type: 'customer' });
    expect(await bearer(token(first()))).toMatchObject({ type: 'customer' });
    expect(requests).toBe(2);
  });

  test('after a key was removed, its tokens are refused, also those that were verified before', async () => {
    const old = first();
    const remembered = await token(old, { exp: seconds() + 10 * 365 * 86_400 });
    await bearer(remembered);
    keys = [await keyNamed('k2')];
    clock.advance({ seconds: 601 });
    await refused(token(old));
    await refused(remembered);
    expect(await bearer(token(first()))).toMatchObject({ type: 'customer' });
  });

  test('a new key under an old key id is known once the old key set has expired', async () => {
    await bearer(token(first()));
    keys = [await keyNamed('k1')];
    await refused(token(first()));
    clock.advance({ seconds: 601 });
    expect(await bearer(token(first()))).toMatchObject({ type: 'customer' });
  });

  test.each(['EdDSA', 'RS256'])('a key of another algorithm is accepted: %s', async (alg) => {
    keys = [await keyNamed('k2', alg)];
    expect(await bearer(token(first()))).toMatchObject({ type: 'customer' });
  });
});

describe('keys are fetched seldom', () => {
  test('once for many concurrent tokens, and then not again for ten minutes', async () => {
    await Promise.all(Array.from({ length: 50 }, () => bearer(token(first()))));
    clock.advance({ seconds: 599 });
    await bearer(token(first()));
    expect(requests).toBe(1);
  });

  test('once in five seconds under a flood of made-up key ids', async () => {
    const stranger = await keyNamed('x');
    const flood = async () => {
      const all = await Promise.allSettled(
        Array.from({ length: 100 }, (_, index) => bearer(token(stranger, {}, { kid: `made-up-${index}` }))),
      );
      expect(all.every((one) => one.status === 'rejected' && one.reason.code === 'UNAUTHENTICATED')).toBe(true);
    };
    await flood();
    expect(requests).toBe(1);
    clock.advance({ seconds: 6 });
    await flood();
    await flood();
    expect(requests).toBe(2);
  });

  test('once in five seconds while the issuer is away', async () => {
    respond = () => ({ status: 503, body: '' });
    for (let index = 0; index < 20; index += 1) await unavailable(token(first()));
    expect(requests).toBe(1);
    clock.advance({ seconds: 6 });
    respond = (body) => ({ status: 200, body });
    expect(await bearer(token(first()))).toMatchObject({ type: 'customer' });
  });
});

describe('while the issuer is away', () => {
  test('tokens of known keys are accepted for an hour', async () => {
    await bearer(token(first()));
    respond = () => ({ status: 500, body: 'no' });
    clock.advance({ minutes: 59 });
    expect(await bearer(token(first()))).toMatchObject({ type: 'customer' });
    clock.advance({ minutes: 2 });
    await unavailable(token(first()));
    respond = (body) => ({ status: 200, body });
    clock.advance({ seconds: 6 });
    expect(await bearer(token(first()))).toMatchObject({ type: 'customer' });
  });

  test('a token that names an unknown key gets 503, not 401', async () => {
    await bearer(token(first()));
    respond = () => ({ status: 500, body: 'no' });
    clock.advance({ seconds: 6 });
    await unavailable(token(await keyNamed('k2')));
    expect(await bearer(token(first()))).toMatchObject({ type: 'customer' });
  });

  test('a key set with a private key, or behind a redirect, is not used', async () => {
    const secret = { ...(await exportJWK(first().pair.privateKey)), kid: 'k1', alg: 'ES256' };
    respond = () => ({ status: 200, body: JSON.stringify({ keys: [secret] }) });
    await unavailable(token(first()));
    authenticate = fresh();
    respond = () => ({ status: 302, body: '' });
    await unavailable(token(first()));
  });
});

describe('a token is refused', () => {
  const part = (value: object) => base64url.encode(JSON.stringify(value));
  /** A token with any header, signed as ES256. */
  const signedAs = async (header: object) =>
    await new CompactSign(new TextEncoder().encode(JSON.stringify(claims())))
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', ...header } as never)
      .sign(first().pair.privateKey, { crit: { 'x-ours': true, b64: true } });

  const ways: readonly [string, () => Promise<string>][] = [
    ['that needs an unknown extension', () => signedAs({ crit: ['x-ours'], 'x-ours': 1 })],
    ['of another type', () => token(first(), {}, { typ: 'logout+jwt' })],
    ['that is a proof of possession', () => token(first(), {}, { typ: 'dpop+jwt' })],
    ['that is too long', () => token(first(), { padding: 'x'.repeat(8_000) })],
    ['that is not valid yet', () => token(first(), { nbf: seconds() + 31 })],
    ['that expired longer ago than the clock tolerance', () => token(first(), { exp: seconds() - 31 })],
    ['whose expiry is not a number', () => token(first(), { exp: 'never' as never })],
    ['whose audience is a list without us', () => token(first(), { aud: ['web', 'API'] })],
    ['whose issuer only starts like ours', () => token(first(), { iss: `${issuer}.evil` })],
    ['without a subject', () => token(first(), { sub: '' })],
    ['without signature', async () => `${part({ alg: 'none' })}.${part(claims())}.AA`],
    ['with the algorithm NONE in capitals', async () => `${part({ alg: 'NONE', kid: 'k1' })}.${part(claims())}.AA`],
    ['with an empty signature', async () => `${part({ alg: 'ES256', kid: 'k1' })}.${part(claims())}.AA`],
    [
      'that brings its own key',
      async () => {
        const own = await keyNamed('k1');
        return await token(own, {}, { jwk: (await exportJWK(own.pair.publicKey)) as never, jku: jwksUrl, kid: 'k1' });
      },
    ],
    [
      'whose signature was taken from another token',
      async () => {
        const [head, , signature] = (await token(first())).split('.');
        return `${head}.${part(claims({ typ: 'merchant' }))}.${signature}`;
      },
    ],
  ];
  test.each(ways)('%s', async (_, make) => {
    await bearer(token(first()));
    await refused(make());
  });

  test.each(['ES256', 'RS256'])('whose secret is our public key (%s), in every encoding', async (alg) => {
    keys = [await keyNamed('k1', alg)];
    const { publicKey } = first().pair;
    const spki = await exportSPKI(publicKey);
    const key = createPublicKey(spki);
    const secrets = [spki, spki.trim(), key.export({ type: 'spki', format: 'der' }), JSON.stringify(await exportJWK(publicKey))];
    for (const secret of secrets) {
      const head = `${part({ alg: 'HS256', kid: 'k1' })}.${part(claims())}`;
      await refused(`${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`);
    }
  });

  test('whose algorithm is not that of its key', async () => {
    const rsa = await keyNamed('k1', 'RS256');
    await refused(token(rsa));
    const psa = await keyNamed('k1', 'PS256');
    keys = [psa];
    authenticate = fresh();
    await refused(token(psa));
  });

  test('whatever bytes it consists of, with 401 and never with 500', async () => {
    await bearer(token(first()));
    const good = await token(first());
    const mutated = fc
      .tuple(fc.nat(good.length - 1), fc.constantFrom(...'AQgw_-.0'))
      .map(([at, character]) => good.slice(0, at) + character + good.slice(at + 1))
      .filter((text) => text !== good);
    const arbitrary = fc.oneof(
      fc.tuple(fc.json(), fc.json(), fc.string()).map((parts) => parts.map((text) => base64url.encode(text)).join('.')),
      fc.stringMatching(/^[\w-]{1,40}\.[\w-]{1,40}\.[\w-]{1,40}$/),
      mutated.filter(
        (text) => text.split('.')[2]?.slice(0, -1) !== good.split('.')[2]?.slice(0, -1) || text.split('.')[1] !== good.split('.')[1],
      ),
    );
    await fc.assert(
      fc.asyncProperty(arbitrary, async (text) => {
        await refused(text);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a token is accepted', () => {
  test.each([
    ['that expired within the clock tolerance', () => token(first(), { exp: seconds() - 29 })],
    ['that becomes valid within the clock tolerance', () => token(first(), { nbf: seconds() + 29 })],
    ['with the type JWT', () => token(first(), {}, { typ: 'JWT' })],
    ['with the type of an access token', () => token(first(), {}, { typ: 'application/at+jwt' })],
    ['for several audiences, ours among them', () => token(first(), { aud: ['web', 'api'] })],
  ])('%s', async (_, make) => {
    expect(await bearer(make())).toMatchObject({ type: 'customer' });
  });
});
