import { createHmac, createPublicKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { base64url, CompactSign, exportJWK, exportSPKI } from 'jose';
import { createKey, type KeyIssuer, startKeyIssuer } from '../testing/key-issuer.ts';
import type { Authenticate } from './caller.ts';

let issuer: KeyIssuer;
let authenticate: Authenticate;
beforeEach(async () => {
  issuer = await startKeyIssuer();
  authenticate = issuer.authenticate();
});
afterEach(() => {
  issuer[Symbol.dispose]();
});

const bearer = async (token: string | Promise<string>) => await authenticate(`Bearer ${await token}`);
const refused = (token: string | Promise<string>) => expect(bearer(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });

describe('a token is refused', () => {
  const part = (value: object) => base64url.encode(JSON.stringify(value));
  const signedAs = async (header: object) =>
    await new CompactSign(new TextEncoder().encode(JSON.stringify(issuer.claims())))
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', ...header } as never)
      .sign(issuer.firstKey().pair.privateKey, { crit: { 'x-ours': true, b64: true } });

  const ways: readonly [string, () => Promise<string>][] = [
    ['that needs an unknown extension', () => signedAs({ crit: ['x-ours'], 'x-ours': 1 })],
    ['of another type', () => issuer.token(issuer.firstKey(), {}, { typ: 'logout+jwt' })],
    ['that is a proof of possession', () => issuer.token(issuer.firstKey(), {}, { typ: 'dpop+jwt' })],
    ['that is too long', () => issuer.token(issuer.firstKey(), { padding: 'x'.repeat(8_000) })],
    ['that is not valid yet', () => issuer.token(issuer.firstKey(), { nbf: issuer.seconds() + 31 })],
    ['that was issued later than the clock tolerance allows', () => issuer.token(issuer.firstKey(), { iat: issuer.seconds() + 31 })],
    ['that expired longer ago than the clock tolerance', () => issuer.token(issuer.firstKey(), { exp: issuer.seconds() - 31 })],
    ['whose expiry is not a number', () => issuer.token(issuer.firstKey(), { exp: 'never' as never })],
    ['whose audience is a list without us', () => issuer.token(issuer.firstKey(), { aud: ['web', 'API'] })],
    ['whose issuer only starts like ours', () => issuer.token(issuer.firstKey(), { iss: `${issuer.issuer}.evil` })],
    ['without a subject', () => issuer.token(issuer.firstKey(), { sub: '' })],
    ['without signature', async () => `${part({ alg: 'none' })}.${part(issuer.claims())}.AA`],
    ['with the algorithm NONE in capitals', async () => `${part({ alg: 'NONE', kid: 'k1' })}.${part(issuer.claims())}.AA`],
    ['with an empty signature', async () => `${part({ alg: 'ES256', kid: 'k1' })}.${part(issuer.claims())}.AA`],
    [
      'that brings its own key',
      async () => {
        const own = await createKey('k1');
        return await issuer.token(own, {}, { jwk: (await exportJWK(own.pair.publicKey)) as never, jku: issuer.jwksUrl, kid: 'k1' });
      },
    ],
    [
      'whose signature was taken from another token',
      async () => {
        const [head, , signature] = (await issuer.token(issuer.firstKey())).split('.');
        return `${head}.${part(issuer.claims({ typ: 'merchant' }))}.${signature}`;
      },
    ],
  ];
  test.each(ways)('%s', async (_, make) => {
    await bearer(issuer.token(issuer.firstKey()));
    await refused(make());
  });

  test.each(['ES256', 'RS256'])('whose secret is our public key (%s), in every encoding', async (alg) => {
    issuer.keys = [await createKey('k1', alg)];
    const { publicKey } = issuer.firstKey().pair;
    const spki = await exportSPKI(publicKey);
    const key = createPublicKey(spki);
    const secrets = [spki, spki.trim(), key.export({ type: 'spki', format: 'der' }), JSON.stringify(await exportJWK(publicKey))];
    for (const secret of secrets) {
      const head = `${part({ alg: 'HS256', kid: 'k1' })}.${part(issuer.claims())}`;
      await refused(`${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`);
    }
  });

  test('whose algorithm is not that of its key', async () => {
    const rsa = await createKey('k1', 'RS256');
    await refused(issuer.token(rsa));
    const psa = await createKey('k1', 'PS256');
    issuer.keys = [psa];
    authenticate = issuer.authenticate();
    await refused(issuer.token(psa));
  });

  test('whatever bytes it consists of, with 401 and never with 500', async () => {
    await bearer(issuer.token(issuer.firstKey()));
    const good = await issuer.token(issuer.firstKey());
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
    ['that expired within the clock tolerance', () => issuer.token(issuer.firstKey(), { exp: issuer.seconds() - 29 })],
    ['that becomes valid within the clock tolerance', () => issuer.token(issuer.firstKey(), { nbf: issuer.seconds() + 29 })],
    ['that was issued within the clock tolerance', () => issuer.token(issuer.firstKey(), { iat: issuer.seconds() + 29 })],
    ['with the type JWT', () => issuer.token(issuer.firstKey(), {}, { typ: 'JWT' })],
    ['with the type of an access token', () => issuer.token(issuer.firstKey(), {}, { typ: 'application/at+jwt' })],
    ['for several audiences, ours among them', () => issuer.token(issuer.firstKey(), { aud: ['web', 'api'] })],
  ])('%s', async (_, make) => {
    expect(await bearer(make())).toMatchObject({ type: 'customer' });
  });
});
