import { Problem } from '@corner/contracts';
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { createSigningKeys, KeysAway } from './signing-keys.ts';

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
/** Far more than our claims need, and less than headers may hold. */
const mostCharacters = 8 * 1024;
/** What a token may say it is. A logout token or a proof of possession by the same key is no access token. */
const accessTypes: ReadonlySet<string | undefined> = new Set([undefined, 'jwt', 'at+jwt']);

/** Keys at an address are fetched when they are needed, and kept. */
export const signingKeys = (keys: string | JWTVerifyGetKey): JWTVerifyGetKey => (typeof keys === 'string' ? createSigningKeys(keys) : keys);

export function createVerifyToken({ issuer, keys, now }: VerifyTokenOptions): VerifyToken {
  const resolver = signingKeys(keys);
  return async (token, { audience, claims, maxAgeSeconds }) => {
    if (token.length > mostCharacters) throw new errors.JWTInvalid('the token is too long');
    const { payload, protectedHeader } = await jwtVerify(token, resolver, {
      issuer,
      audience,
      algorithms: ['ES256', 'EdDSA', 'RS256'],
      clockTolerance: clockToleranceSeconds,
      currentDate: now(),
      requiredClaims: [...claims],
      ...(maxAgeSeconds === undefined ? {} : { maxTokenAge: maxAgeSeconds }),
    }).catch((error: unknown) => {
      throw error instanceof KeysAway || error instanceof errors.JWKSInvalid
        ? new Problem('UPSTREAM_UNAVAILABLE', {
            message: 'The signing keys cannot be fetched right now.',
            retryAfterSeconds: 2,
            cause: error,
          })
        : error;
    });
    if (!accessTypes.has(protectedHeader.typ?.toLowerCase().replace(/^application\//, '')))
      throw new errors.JWTClaimValidationFailed('a token of another kind', payload, 'typ', 'check_failed');
    return payload;
  };
}
