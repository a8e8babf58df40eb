import { Problem } from '@corner/contracts';
import { answers, startOutsider } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { exportJWK } from 'jose';
import { startKeyIssuer } from '../testing/key-issuer.ts';
import { createAuthenticate } from './caller.ts';
import { createSigningKeys } from './signing-keys.ts';

const plainly = async (url: string): Promise<unknown> => {
  const response = await fetch(url, { redirect: 'manual' });
  return response.status === 200 ? await response.json() : null;
};

const isKeySet = (value: unknown): value is { readonly keys: readonly object[] } => {
  const keys = (value as { keys?: unknown } | null)?.keys;
  return Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null && !Array.isArray(key));
};

test('a token is accepted when the issuer answers with its key, refused when it answers with other keys, and deferred otherwise', async () => {
  using issuer = await startKeyIssuer();
  const key = issuer.firstKey();
  const token = await issuer.token(key);
  const jwk = { ...(await exportJWK(key.pair.publicKey)), kid: key.kid, alg: key.alg, use: 'sig' };
  const expectedFor = (read: unknown): string => {
    if (!isKeySet(read)) return 'UPSTREAM_UNAVAILABLE';
    return read.keys.some((one) => JSON.stringify(one) === JSON.stringify(jwk)) ? 'accepted' : 'UNAUTHENTICATED';
  };
  const sent = fc.sample(answers({ keys: [jwk] }), { numRuns: 150, seed: Number(process.env.FAST_CHECK_SEED ?? 1) });
  const text = JSON.stringify({ keys: [jwk] });
  const usual = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`);
  const ends = [{ bytes: usual }, ...sent].map(async ({ bytes }) => {
    await using outsider = await startOutsider();
    outsider.respond = () => bytes;
    const url = `${outsider.url}/jwks`;
    const authenticate = createAuthenticate({
      issuer: issuer.issuer,
      audience: 'api',
      keys: createSigningKeys(url),
      now: issuer.clock.now,
    });
    const end = await authenticate(`Bearer ${token}`).then(
      () => 'accepted',
      (error: unknown) => (error instanceof Problem ? error.code : error),
    );
    return { sent: bytes.toString().slice(0, 300), end, expected: expectedFor(await plainly(url).catch(() => null)) };
  });
  const all = await Promise.all(ends);
  expect(all.filter(({ end, expected }) => end !== expected)).toEqual([]);
  expect(new Set(all.map(({ end }) => end))).toEqual(new Set(['accepted', 'UNAUTHENTICATED', 'UPSTREAM_UNAVAILABLE']));
});
