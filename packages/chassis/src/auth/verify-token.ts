import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import { createSigningKeys, keysProblem, type SigningKeys } from './signing-keys.ts';

export interface VerifyTokenOptions {
  readonly issuer: string;
  readonly keys: string | JWTVerifyGetKey;
  readonly now: () => Date;
  readonly subjectClaim?: string;
}

export interface ExpectedToken {
  readonly audience: string;
  readonly claims: readonly string[];
  readonly maxAgeSeconds?: number;
}

/** `sub` is our id, a UUID in lower case, from the claim `subjectClaim`; from `sub` where none is set. */
type VerifiedClaims = JWTPayload & { readonly sub: string };

/** Verifies signature, issuer, audience and times. Throws UPSTREAM_UNAVAILABLE, {@link NoSubject} or a JOSE error. */
export type VerifyToken = (token: string, expected: ExpectedToken) => Promise<VerifiedClaims>;

/** The claim for our id is missing or no UUID. The message names the claim and may be shown to the caller. */
export class NoSubject extends errors.JWTClaimValidationFailed {
  constructor(payload: JWTPayload, claim: string) {
    super(`The claim ${claim} of the token is not a UUID, and it must hold the caller’s id.`, payload, claim, 'check_failed');
    this.name = 'NoSubject';
  }
}

const Subject = z.guid().toLowerCase();

const clockToleranceSeconds = 30;
const maxCharacters = 8 * 1024;
/** A logout token or a proof of possession signed by the same key is not an access token. */
const accessTypes: ReadonlySet<string | undefined> = new Set([undefined, 'jwt', 'at+jwt']);

export const signingKeys = (keys: string | JWTVerifyGetKey): SigningKeys =>
  typeof keys === 'string'
    ? createSigningKeys(keys)
    : Object.assign((...of: Parameters<JWTVerifyGetKey>) => keys(...of), { whyNever: async () => null });

export function createVerifyToken({ issuer, keys, now, subjectClaim = 'sub' }: VerifyTokenOptions): VerifyToken {
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
      throw keysProblem(error) ?? error;
    });
    if (!accessTypes.has(protectedHeader.typ?.toLowerCase().replace(/^application\//, '')))
      throw new errors.JWTClaimValidationFailed('a token of another kind', payload, 'typ', 'check_failed');
    // jose checks `iat` only where a token's age has a limit.
    if (payload.iat !== undefined && payload.iat > now().getTime() / 1000 + clockToleranceSeconds)
      throw new errors.JWTClaimValidationFailed('a token of the future', payload, 'iat', 'check_failed');
    const sub = Subject.safeParse(Object.hasOwn(payload, subjectClaim) ? payload[subjectClaim] : undefined);
    if (!sub.success) throw new NoSubject(payload, subjectClaim);
    return { ...payload, sub: sub.data };
  };
}
