import { beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { fixedClock } from './fixed-clock.ts';
import { type TestIssuer, testIssuer } from './test-issuer.ts';

const clock = fixedClock('2026-05-01T12:00:00Z');
let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await testIssuer({ now: clock.now });
});

async function verify(token: string): Promise<JWTPayload> {
  const expected = { issuer: issuer.issuer, audience: issuer.audience, algorithms: ['ES256'], currentDate: clock.now() };
  return (await jwtVerify(token, createLocalJWKSet(issuer.jwks), expected)).payload;
}

const bo = { typ: 'merchant', sub: 'bo', name: 'Bo', scope: 'merchant:read', stores: [{ id: 's1', role: 'owner' }] } as const;

test('a token is valid for 15 minutes and carries the claims it was made with and an id of its own', async () => {
  const token = await issuer.token(bo);
  const payload = await verify(token);
  expect(payload).toMatchObject(bo);
  const { iat = 0, exp = 0, jti, aud } = payload;
  expect({ lifeSeconds: exp - iat, aud, at: iat * 1_000 }).toEqual({ lifeSeconds: 900, aud: 'api', at: clock.now().getTime() });
  expect(decodeJwt(await issuer.token(bo)).jti).not.toBe(jti);
});

describe('a bad token', () => {
  test.each([
    ['expired', 'ERR_JWT_EXPIRED'],
    ['unsigned', 'ERR_JOSE_ALG_NOT_ALLOWED'],
    ['hs256', 'ERR_JOSE_ALG_NOT_ALLOWED'],
    ['wrongAudience', 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['wrongIssuer', 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['unknownKid', 'ERR_JWKS_NO_MATCHING_KEY'],
    ['forged', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
  ] as const)('of the kind %s fails verification with %s', async (kind, code) => {
    await expect(issuer.bad[kind](bo).then(verify)).rejects.toMatchObject({ code });
  });

  test('is bad in one way only: a token with a wrong signature carries the claims of a good one', async () => {
    const good = decodeJwt(await issuer.token(bo));
    for (const kind of ['unsigned', 'hs256', 'unknownKid', 'forged'] as const) {
      expect(decodeJwt(await issuer.bad[kind](bo))).toEqual({ ...good, jti: expect.any(String) });
    }
  });
});
