import { SignJWT } from 'jose';
import type { SigningKey } from './signing-key.ts';

export interface TokenRequest {
  readonly typ: 'customer' | 'merchant' | 'staff';
  /** The subject's id. */
  readonly sub: string;
  /** Ids of the stores of a merchant or a staff member; none when absent. */
  readonly stores?: readonly string[];
  /** The role in all those stores: owner for a merchant and staff for staff when absent. */
  readonly role?: 'owner' | 'manager' | 'staff';
  /** Separated by spaces; when absent, every scope of this type of caller. */
  readonly scope?: string;
  /** Lifetime in seconds; 15 minutes when absent. */
  readonly ttlSeconds?: number;
  readonly name?: string;
  readonly merchantId?: string;
}

export interface StaffSessionRequest {
  /** The staff member's id. */
  readonly sub: string;
  readonly stores: readonly string[];
  readonly role?: 'owner' | 'manager' | 'staff';
  /** Lifetime in seconds; 12 hours when absent. */
  readonly ttlSeconds?: number;
  readonly name?: string;
}

/** Signs tokens for development: ES256, with the claims that Corner reads. */
export interface Tokens {
  /** Makes an access token, for the Authorization header. */
  token(request: TokenRequest): Promise<string>;
  /** Makes the proof that a staff member is at work, for X-Staff-Token. It is not an access token. */
  staffSessionToken(request: StaffSessionRequest): Promise<string>;
}

interface TokensOptions {
  /** The `iss` claim. */
  readonly issuer: string;
  readonly key: SigningKey;
  readonly now: () => Date;
  /** Makes the `jti` claim. */
  readonly newId: () => string;
}

const accessSeconds = 15 * 60;
const sessionSeconds = 12 * 60 * 60;
const writes = 'orders:write loyalty:write queue:write';
const scopes = {
  customer: `customer:read ${writes}`,
  merchant: `merchant:read orders:refund ${writes}`,
  staff: `merchant:read orders:refund ${writes}`,
};

export function createTokens({ issuer, key, now, newId }: TokensOptions): Tokens {
  const sign = (audience: string, ttlSeconds: number, claims: Record<string, unknown>): Promise<string> => {
    const issuedAt = Math.floor(now().getTime() / 1000);
    return new SignJWT({ iss: issuer, aud: audience, ...claims, iat: issuedAt, exp: issuedAt + ttlSeconds, jti: newId() })
      .setProtectedHeader({ alg: 'ES256', kid: key.id, typ: 'JWT' })
      .sign(key.private);
  };

  return {
    token({
      typ,
      sub,
      stores = [],
      role = typ === 'merchant' ? 'owner' : 'staff',
      scope = scopes[typ],
      ttlSeconds = accessSeconds,
      ...who
    }) {
      const about = { ...named(who.name), ...(who.merchantId === undefined ? {} : { merchant_id: who.merchantId }) };
      return sign('api', ttlSeconds, { sub, typ, scope, stores: stores.map((id) => ({ id, role })), ...about });
    },
    staffSessionToken({ sub, stores, role = 'staff', ttlSeconds = sessionSeconds, name }) {
      return sign('staff-session', ttlSeconds, { sub, typ: 'staff', stores: stores.map((id) => ({ id, role })), ...named(name) });
    },
  };
}

const named = (name: string | undefined) => (name === undefined ? {} : { name });
