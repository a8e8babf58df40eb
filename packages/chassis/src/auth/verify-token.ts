import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import { createSigningKeys, keysProblem, type SigningKeys } from './signing-keys.ts';

export interface VerifyTokenOptions {
  readonly issuer: string;
  /** The address of the signing keys, or a resolver in tests. */
  readonly keys: string | JWTVerifyGetKey;
  readonly now: () => Date;
  /** The claim that holds the id of the customer, merchant or member of staff; `sub` when absent. */
  readonly subjectClaim?: string;
}

export interface ExpectedToken {
  readonly audience: string;
  readonly claims: readonly string[];
  readonly maxAgeSeconds?: number;
}

/** The claims of a verified token. `sub` is our id, a UUID in lower case, whichever claim holds it. */
type VerifiedClaims = JWTPayload & { readonly sub: string };

/** Verifies signature, issuer, audience and times of a token. Throws UPSTREAM_UNAVAILABLE, {@link NoSubject} or a JOSE error. */
export type VerifyToken = (token: string, expected: ExpectedToken) => Promise<VerifiedClaims>;

/** The claim that should hold our id is missing or is no UUID. The message names the claim, and is for the caller. */
export class NoSubject extends errors.JWTClaimValidationFailed {
  constructor(payload: JWTPayload, claim: string) {
    super(`The claim ${claim} of the token is not a UUID, and it must hold the caller’s id.`, payload, claim, 'check_failed');
    this.name = 'NoSubject';
  }
}

const Subject = z.guid().toLowerCase();

const clockToleranceSeconds = 30;
/** Far more than our claims need, and less than a header may have. */
const maxCharacters = 8 * 1024;
/** Values of `typ` that an access token may have. A logout token or a proof of possession signed by the same key is not an access token. */
const accessTypes: ReadonlySet<string | undefined> = new Set([undefined, 'jwt', 'at+jwt']);

/** Returns the keys at an address. A resolver of a test has its keys. */
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
    // The library looks at `iat` only where a token's age has a limit.
    if (payload.iat !== undefined && payload.iat > now().getTime() / 1000 + clockToleranceSeconds)
      throw new errors.JWTClaimValidationFailed('a token of the future', payload, 'iat', 'check_failed');
    const sub = Subject.safeParse(Object.hasOwn(payload, subjectClaim) ? payload[subjectClaim] : undefined);
    if (!sub.success) throw new NoSubject(payload, subjectClaim);
    return { ...payload, sub: sub.data };
  };
}
