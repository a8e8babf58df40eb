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
const shown = async ({ kid, alg, pair }: Key) => ({ ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' });

let clock: FixedClock;
let server: Server;
let jwksUrl: string;
/** What the issuer shows now, how it answers, and how often it was asked. */
let keys: Key[];
let answer: (body: string) => { readonly status: number; readonly body: string };
let asked: number;
let authenticate: Authenticate;

beforeEach(async () => {
  clock = fixedClock('2026-05-01T12:00:00Z');
  keys = [await keyNamed('k1')];
  answer = (body) => ({ status: 200, body });
  asked = 0;
  server = createServer(async (request, response) => {
    asked += 1;
    const set = JSON.stringify({ keys: await Promise.all(keys.map(shown)) });
    const { status, body } = request.url === '/jwks' ? answer(set) : { status: 200, body: set };
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
const away = (made: string | Promise<string>) => expect(bearer(made)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });

describe('keys come and go without a restart', () => {
  test('a new one is known by the first token that names it', async () => {
    await bearer(token(first()));
    const second = await keyNamed('k2');
    keys = [first(), second];
    clock.advance({ seconds: 6 });
    expect(await bearer(token(second))).toMatchObject({ type: 'customer' });
    expect(await bearer(token(first()))).toMatchObject({ type: 'customer' });
    expect(asked).toBe(2);
  });

  test('one that is gone signs nothing any more, nor do tokens that were good before', async () => {
    const old = first();
    const remembered = await token(old, { exp: seconds() + 10 * 365 * 86_400 });
    await bearer(remembered);
    keys = [await keyNamed('k2')];
    clock.advance({ seconds: 601 });
    await refused(token(old));
    await refused(remembered);
    expect(await bearer(token(first()))).toMatchObject({ type: 'customer' });
  });

  test('one that took another’s name is known once the old grew old', async () => {
    await bearer(token(first()));
    keys = [await keyNamed('k1')];
    await refused(token(first()));
    clock.advance({ seconds: 601 });
    expect(await bearer(token(first()))).toMatchObject({ type: 'customer' });
  });

  test.each(['EdDSA', 'RS256'])('also of another algorithm: %s', async (alg) => {
    keys = [await keyNamed('k2', alg)];
    expect(await bearer(token(first()))).toMatchObject({ type: 'customer' });
  });
});

describe('the issuer is asked seldom', () => {
  test('once for many tokens at once, and then not again for ten minutes', async () => {
    await Promise.all(Array.from({ length: 50 }, () => bearer(token(first()))));
    clock.advance({ seconds: 599 });
    await bearer(token(first()));
    expect(asked).toBe(1);
  });

  test('by a flood of made-up keys once in five seconds', async () => {
    const stranger = await keyNamed('x');
    const flood = async () => {
      const all = await Promise.allSettled(
        Array.from({ length: 100 }, (_, index) => bearer(token(stranger, {}, { kid: `made-up-${index}` }))),
      );
      expect(all.every((one) => one.status === 'rejected' && one.reason.code === 'UNAUTHENTICATED')).toBe(true);
    };
    await flood();
    expect(asked).toBe(1);
    clock.advance({ seconds: 6 });
    await flood();
    await flood();
    expect(asked).toBe(2);
  });

  test('also while it is away', async () => {
    answer = () => ({ status: 503, body: '' });
    for (let index = 0; index < 20; index += 1) await away(token(first()));
    expect(asked).toBe(1);
    clock.advance({ seconds: 6 });
    answer = (body) => ({ status: 200, body });
    expect(await bearer(token(first()))).toMatchObject({ type: 'customer' });
  });
});

describe('an issuer that is away for a while', () => {
  test('keeps nobody out whose key is known, for an hour', async () => {
    await bearer(token(first()));
    answer = () => ({ status: 500, body: 'no' });
    clock.advance({ minutes: 59 });
    expect(await bearer(token(first()))).toMatchObject({ type: 'customer' });
    clock.advance({ minutes: 2 });
    await away(token(first()));
    answer = (body) => ({ status: 200, body });
    clock.advance({ seconds: 6 });
    expect(await bearer(token(first()))).toMatchObject({ type: 'customer' });
  });

  test('may have a key nobody can show: that is our trouble, not the token’s', async () => {
    await bearer(token(first()));
    answer = () => ({ status: 500, body: 'no' });
    clock.advance({ seconds: 6 });
    await away(token(await keyNamed('k2')));
    expect(await bearer(token(first()))).toMatchObject({ type: 'customer' });
  });

  test('who shows a private key, or leads elsewhere, is not believed', async () => {
    const secret = { ...(await exportJWK(first().pair.privateKey)), kid: 'k1', alg: 'ES256' };
    answer = () => ({ status: 200, body: JSON.stringify({ keys: [secret] }) });
    await away(token(first()));
    authenticate = fresh();
    answer = () => ({ status: 302, body: '' });
    await away(token(first()));
  });
});

describe('a token is refused', () => {
  const part = (value: object) => base64url.encode(JSON.stringify(value));
  /** A token with whatever header, signed as ES256. */
  const signedAs = async (header: object) =>
    await new CompactSign(new TextEncoder().encode(JSON.stringify(claims())))
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', ...header } as never)
      .sign(first().pair.privateKey, { crit: { 'x-ours': true, b64: true } });

  const ways: readonly [string, () => Promise<string>][] = [
    ['that needs an extension understood', () => signedAs({ crit: ['x-ours'], 'x-ours': 1 })],
    ['of another kind', () => token(first(), {}, { typ: 'logout+jwt' })],
    ['that proves possession', () => token(first(), {}, { typ: 'dpop+jwt' })],
    ['that is too long', () => token(first(), { padding: 'x'.repeat(8_000) })],
    ['not good yet', () => token(first(), { nbf: seconds() + 31 })],
    ['just past what clocks may differ', () => token(first(), { exp: seconds() - 31 })],
    ['whose end is no number', () => token(first(), { exp: 'never' as never })],
    ['whose audience is a list without us', () => token(first(), { aud: ['web', 'API'] })],
    ['whose issuer only begins like ours', () => token(first(), { iss: `${issuer}.evil` })],
    ['for nobody', () => token(first(), { sub: '' })],
    ['without signature', async () => `${part({ alg: 'none' })}.${part(claims())}.AA`],
    ['signed by none in capitals', async () => `${part({ alg: 'NONE', kid: 'k1' })}.${part(claims())}.AA`],
    ['with an empty signature', async () => `${part({ alg: 'ES256', kid: 'k1' })}.${part(claims())}.AA`],
    [
      'that brings its own key',
      async () => {
        const own = await keyNamed('k1');
        return await token(own, {}, { jwk: (await exportJWK(own.pair.publicKey)) as never, jku: jwksUrl, kid: 'k1' });
      },
    ],
    [
      'whose signature was taken from another',
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

  test.each(['ES256', 'RS256'])('whose secret is our public key (%s), in every spelling of it', async (alg) => {
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

  test('of another algorithm than its key is for', async () => {
    const rsa = await keyNamed('k1', 'RS256');
    await refused(token(rsa));
    const psa = await keyNamed('k1', 'PS256');
    keys = [psa];
    authenticate = fresh();
    await refused(token(psa));
  });

  test('whatever it is made of, as one that is not good and never as a fault of ours', async () => {
    await bearer(token(first()));
    const good = await token(first());
    const mutated = fc
      .tuple(fc.nat(good.length - 1), fc.constantFrom(...'AQgw_-.0'))
      .map(([at, deadLetter]) => good.slice(0, at) + deadLetter + good.slice(at + 1))
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

describe('a token is good', () => {
  test.each([
    ['within what clocks may differ, at its end', () => token(first(), { exp: seconds() - 29 })],
    ['within what clocks may differ, at its beginning', () => token(first(), { nbf: seconds() + 29 })],
    ['that says it is a JWT', () => token(first(), {}, { typ: 'JWT' })],
    ['that says it is an access token', () => token(first(), {}, { typ: 'application/at+jwt' })],
    ['for several audiences, us among them', () => token(first(), { aud: ['web', 'api'] })],
  ])('%s', async (_, make) => {
    expect(await bearer(make())).toMatchObject({ type: 'customer' });
  });
});
