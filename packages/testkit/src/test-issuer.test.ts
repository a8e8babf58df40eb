import { createAuthenticate } from '@corner/chassis';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, decodeJwt } from 'jose';
import { fixedClock } from './fixed-clock.ts';
import { type TestIssuer, testIssuer } from './test-issuer.ts';

const clock = fixedClock('2026-05-01T12:00:00Z');
let issuer: TestIssuer;
let authenticate: ReturnType<typeof createAuthenticate>;
beforeAll(async () => {
  issuer = await testIssuer({ now: clock.now });
  authenticate = createAuthenticate({
    issuer: issuer.issuer,
    audience: issuer.audience,
    keys: createLocalJWKSet(issuer.jwks),
    now: clock.now,
  });
});

const bo = { typ: 'merchant', sub: 'bo', name: 'Bo', scope: 'merchant:read', stores: [{ id: 's1', role: 'owner' }] } as const;

test('its tokens are good, and say what they were made to say', async () => {
  const token = await issuer.token(bo);
  expect(await authenticate(`Bearer ${token}`)).toEqual({
    type: 'merchant',
    id: 'bo',
    name: 'Bo',
    stores: new Map([['s1', 'owner']]),
    scopes: new Set(['merchant:read']),
  });
  const { iat = 0, exp = 0, jti, aud } = decodeJwt(token);
  expect({ lifeSeconds: exp - iat, aud, at: iat * 1_000 }).toEqual({ lifeSeconds: 900, aud: 'api', at: clock.now().getTime() });
  expect(decodeJwt(await issuer.token(bo)).jti).not.toBe(jti);
});

describe('a bad token is refused', () => {
  test.each(['expired', 'unsigned', 'hs256', 'wrongAudience', 'wrongIssuer', 'unknownKid', 'forged'] as const)('%s', async (kind) => {
    await expect(issuer.bad[kind](bo).then((token) => authenticate(`Bearer ${token}`))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('each in one way only: it says the same as a good one', async () => {
    const good = decodeJwt(await issuer.token(bo));
    for (const kind of ['unsigned', 'hs256', 'unknownKid', 'forged'] as const) {
      expect(decodeJwt(await issuer.bad[kind](bo))).toEqual({ ...good, jti: expect.any(String) });
    }
  });
});
