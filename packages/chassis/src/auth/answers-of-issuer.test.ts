import { Problem } from '@corner/contracts';
import { answers, startOutsider } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { exportJWK } from 'jose';
import { startKeyIssuer } from '../testing/key-issuer.ts';
import { createAuthenticate } from './caller.ts';
import { createSigningKeys } from './signing-keys.ts';

test('whatever the issuer answers for its keys, a token is accepted, or refused with a named problem, and nothing else happens', async () => {
  using issuer = await startKeyIssuer();
  const key = issuer.firstKey();
  const token = await issuer.token(key);
  const valid = { keys: [{ ...(await exportJWK(key.pair.publicKey)), kid: key.kid, alg: key.alg, use: 'sig' }] };
  const ends = fc.sample(answers(valid), { numRuns: 150, seed: Number(process.env.FAST_CHECK_SEED ?? 1) }).map(async ({ bytes }) => {
    await using outsider = await startOutsider();
    outsider.respond = () => bytes;
    const keys = createSigningKeys(`${outsider.url}/jwks`);
    const authenticate = createAuthenticate({ issuer: issuer.issuer, audience: 'api', keys, now: issuer.clock.now });
    const end = await authenticate(`Bearer ${token}`).catch((error: unknown) => error);
    const isNamed = end instanceof Problem ? ['UNAUTHENTICATED', 'UPSTREAM_UNAVAILABLE'].includes(end.code) : !(end instanceof Error);
    return isNamed ? null : { sent: bytes.toString().slice(-200), end };
  });
  expect((await Promise.all(ends)).filter((end) => end !== null)).toEqual([]);
});
