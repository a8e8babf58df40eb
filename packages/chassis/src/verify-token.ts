import { Problem } from '@corner/contracts';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';

export interface VerifyTokenOptions {
  readonly issuer: string;
  /** Where the signing keys are: an address, or a resolver in tests. */
  readonly keys: string | JWTVerifyGetKey;
  readonly now: () => Date;
}

export interface Expected {
  readonly audience: string;
  readonly claims: readonly string[];
  /** Seconds after its issue beyond which a token is refused, whatever end it names. */
  readonly maxAgeSeconds?: number;
}

/**
 * Answers what a token of our issuer says, once signature (ES256, EdDSA or RS256 by JWKS), issuer, audience and times are good.
 * Throws UPSTREAM_UNAVAILABLE when the keys cannot be fetched, a JOSE error for a token that is not good.
 */
export type VerifyToken = (token: string, expected: Expected) => Promise<JWTPayload>;

const clockToleranceSeconds = 30;

/** Keys at an address are fetched when they are needed, and kept. */
export const signingKeys = (keys: string | JWTVerifyGetKey): JWTVerifyGetKey =>
  typeof keys === 'string'
    ? createRemoteJWKSet(new URL(keys), { cooldownDuration: 5_000, cacheMaxAge: 600_000, timeoutDuration: 3_000 })
    : keys;

export function createVerifyToken({ issuer, keys, now }: VerifyTokenOptions): VerifyToken {
  const resolver = signingKeys(keys);
  return async (token, { audience, claims, maxAgeSeconds }) => {
    const { payload } = await jwtVerify(token, resolver, {
      issuer,
      audience,
      algorithms: ['ES256', 'EdDSA', 'RS256'],
      clockTolerance: clockToleranceSeconds,
      currentDate: now(),
      requiredClaims: [...claims],
      ...(maxAgeSeconds === undefined ? {} : { maxTokenAge: maxAgeSeconds }),
    }).catch((error: unknown) => {
      throw keysAreAway(error)
        ? new Problem('UPSTREAM_UNAVAILABLE', {
            message: 'The signing keys cannot be fetched right now.',
            retryAfterSeconds: 2,
            cause: error,
          })
        : error;
    });
    return payload;
  };
}

/** The fault is the issuer's, not the token's: no answer, another answer than 200, or one that is no key set. */
const keysAreAway = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  error.code === 'ERR_JOSE_GENERIC';
