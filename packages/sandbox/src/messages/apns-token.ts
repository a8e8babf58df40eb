import type { KeyObject } from 'node:crypto';
import { errors, jwtVerify } from 'jose';

/** The key of an Apple developer account, as Apple knows it. */
export interface ApnsKey {
  readonly keyId: string;
  readonly teamId: string;
  readonly publicKey: KeyObject;
}

export type TokenFault = 'MissingProviderToken' | 'InvalidProviderToken' | 'ExpiredProviderToken';

/** Seconds a provider token is valid, from its `iat`. */
const lifetime = 3_600;
/** Seconds a client's clock may be ahead. */
const skew = 60;

/** Verifies a provider token. Returns its `iat` in seconds, or the fault. */
export async function judgeProviderToken(header: string | undefined, key: ApnsKey, now: Date): Promise<number | TokenFault> {
  const token = /^bearer (\S+)$/i.exec(header ?? '')?.[1];
  if (!token) return 'MissingProviderToken';
  try {
    const { payload, protectedHeader } = await jwtVerify(token, key.publicKey, {
      algorithms: ['ES256'],
      issuer: key.teamId,
      requiredClaims: ['iat'],
      currentDate: now,
    });
    const age = now.getTime() / 1_000 - (payload.iat ?? 0);
    if (protectedHeader.kid !== key.keyId || age < -skew) return 'InvalidProviderToken';
    return age > lifetime ? 'ExpiredProviderToken' : (payload.iat ?? 0);
  } catch (error) {
    if (error instanceof errors.JOSEError) return 'InvalidProviderToken';
    throw error;
  }
}
