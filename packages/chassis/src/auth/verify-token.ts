import { Problem } from '@corner/contracts';
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { createSigningKeys, KeysUnavailable } from './signing-keys.ts';

export interface VerifyTokenOptions {
  readonly issuer: string;
  /** The address of the signing keys, or a resolver in tests. */
  readonly keys: string | JWTVerifyGetKey;
  readonly now: () => Date;
}

/** What a token must have to be accepted. */
export interface ExpectedToken {
  readonly audience: string;
  readonly claims: readonly string[];
  /** Longest age of a token in seconds, whatever expiry it names. */
  readonly maxAgeSeconds?: number;
}

/**
 * Verifies signature (ES256, EdDSA or RS256 by JWKS), issuer, audience and times of a token, and returns its claims. Throws
 * UPSTREAM_UNAVAILABLE when the keys cannot be fetched, and a JOSE error for a token that is not valid.
 */
export type VerifyToken = (token: string, expected: ExpectedToken) => Promise<JWTPayload>;

const clockToleranceSeconds = 30;
/** Far more than our claims need, and less than a header may have. */
const maxCharacters = 8 * 1024;
/** Values of `typ` that an access token may have. A logout token or a proof of possession signed by the same key is not an access token. */
const accessTypes: ReadonlySet<string | undefined> = new Set([undefined, 'jwt', 'at+jwt']);

/** Returns a resolver of signing keys. Keys at an address are fetched when they are needed, and cached. */
export const signingKeys = (keys: string | JWTVerifyGetKey): JWTVerifyGetKey => (typeof keys === 'string' ? createSigningKeys(keys) : keys);

export function createVerifyToken({ issuer, keys, now }: VerifyTokenOptions): VerifyToken {
  const resolver = signingKeys(keys);
  return async (token, { audience, claims, maxAgeSeconds }) => {
    if (token.length > maxCharacters) throw new errors.JWTInvalid('the token is too long');
    const { payload, protectedHeader } = await jwtVerify(token, resolver, {
      issuer,
      audience,
      algorithms: ['ES256', 'EdDSA', 'RS256'],
      clockTolerance: clockToleranceSeconds,
      currentDate: now(),
      requiredClaims: [...claims],
      ...(maxAgeSeconds === undefined ? {} : { maxTokenAge: maxAgeSeconds }),
    }).catch((error: unknown) => {
      throw error instanceof KeysUnavailable || error instanceof errors.JWKSInvalid
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
