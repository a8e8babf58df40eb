import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { exportJWK } from 'jose';
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
const unavailable = (token: string | Promise<string>) => expect(bearer(token)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });

describe('keys are added and removed without a restart', () => {
  test('a new key is fetched for the first token that names it', async () => {
    await bearer(issuer.token(issuer.firstKey()));
    const second = await createKey('k2');
    issuer.keys = [issuer.firstKey(), second];
    issuer.clock.advance({ seconds: 6 });
    expect(await bearer(issuer.token(second))).toMatchObject({ type: 'customer' });
    expect(await bearer(issuer.token(issuer.firstKey()))).toMatchObject({ type: 'customer' });
    expect(issuer.requests).toBe(2);
  });

  test('after a key was removed, its tokens are refused, also those that were verified before', async () => {
    const old = issuer.firstKey();
    const remembered = await issuer.token(old, { exp: issuer.seconds() + 10 * 365 * 86_400 });
    await bearer(remembered);
    issuer.keys = [await createKey('k2')];
    issuer.clock.advance({ seconds: 601 });
    await refused(issuer.token(old));
    await refused(remembered);
    expect(await bearer(issuer.token(issuer.firstKey()))).toMatchObject({ type: 'customer' });
  });

  test('a new key under an old key id is known once the old key set has expired', async () => {
    await bearer(issuer.token(issuer.firstKey()));
    issuer.keys = [await createKey('k1')];
    await refused(issuer.token(issuer.firstKey()));
    issuer.clock.advance({ seconds: 601 });
    expect(await bearer(issuer.token(issuer.firstKey()))).toMatchObject({ type: 'customer' });
  });

  test.each(['EdDSA', 'RS256'])('a key of another algorithm is accepted: %s', async (alg) => {
    issuer.keys = [await createKey('k2', alg)];
    expect(await bearer(issuer.token(issuer.firstKey()))).toMatchObject({ type: 'customer' });
  });
});

describe('keys are fetched seldom', () => {
  test('once for many concurrent tokens, and then not again for ten minutes', async () => {
    await Promise.all(Array.from({ length: 50 }, () => bearer(issuer.token(issuer.firstKey()))));
    issuer.clock.advance({ seconds: 599 });
    await bearer(issuer.token(issuer.firstKey()));
    expect(issuer.requests).toBe(1);
  });

  test('once in five seconds under a flood of made-up key ids', async () => {
    const stranger = await createKey('x');
    const flood = async () => {
      const all = await Promise.allSettled(
        Array.from({ length: 100 }, (_, index) => bearer(issuer.token(stranger, {}, { kid: `made-up-${index}` }))),
      );
      expect(all.every((one) => one.status === 'rejected' && one.reason.code === 'UNAUTHENTICATED')).toBe(true);
    };
    await flood();
    expect(issuer.requests).toBe(1);
    issuer.clock.advance({ seconds: 6 });
    await flood();
    await flood();
    expect(issuer.requests).toBe(2);
  });

  test('once in five seconds while the issuer is away', async () => {
    issuer.respond = () => ({ status: 503, body: '' });
    for (let index = 0; index < 20; index += 1) await unavailable(issuer.token(issuer.firstKey()));
    expect(issuer.requests).toBe(1);
    issuer.clock.advance({ seconds: 6 });
    issuer.respond = (body) => ({ status: 200, body });
    expect(await bearer(issuer.token(issuer.firstKey()))).toMatchObject({ type: 'customer' });
  });
});

describe('while the issuer is away', () => {
  test('tokens of known keys are accepted for an hour', async () => {
    await bearer(issuer.token(issuer.firstKey()));
    issuer.respond = () => ({ status: 500, body: 'no' });
    issuer.clock.advance({ minutes: 59 });
    expect(await bearer(issuer.token(issuer.firstKey()))).toMatchObject({ type: 'customer' });
    issuer.clock.advance({ minutes: 2 });
    await unavailable(issuer.token(issuer.firstKey()));
    issuer.respond = (body) => ({ status: 200, body });
    issuer.clock.advance({ seconds: 6 });
    expect(await bearer(issuer.token(issuer.firstKey()))).toMatchObject({ type: 'customer' });
  });

  test('a token that names an unknown key gets 503, not 401', async () => {
    await bearer(issuer.token(issuer.firstKey()));
    issuer.respond = () => ({ status: 500, body: 'no' });
    issuer.clock.advance({ seconds: 6 });
    await unavailable(issuer.token(await createKey('k2')));
    expect(await bearer(issuer.token(issuer.firstKey()))).toMatchObject({ type: 'customer' });
  });

  test('a key set with a private key, or behind a redirect, is not used', async () => {
    const secret = { ...(await exportJWK(issuer.firstKey().pair.privateKey)), kid: 'k1', alg: 'ES256' };
    issuer.respond = () => ({ status: 200, body: JSON.stringify({ keys: [secret] }) });
    await unavailable(issuer.token(issuer.firstKey()));
    authenticate = issuer.authenticate();
    issuer.respond = () => ({ status: 302, body: '' });
    await unavailable(issuer.token(issuer.firstKey()));
  });
});
