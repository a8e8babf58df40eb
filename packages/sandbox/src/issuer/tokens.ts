import { SignJWT } from 'jose';
import type { SigningKey } from './signing-key.ts';

export interface TokenRequest {
  readonly typ: 'customer' | 'merchant' | 'staff' | 'partner' | 'operator';
  readonly sub: string;
  readonly stores?: readonly string[];
  readonly role?: 'owner' | 'manager' | 'staff';
  /** Separated by spaces; when absent, every scope of this type of caller. */
  readonly scope?: string;
  readonly ttlSeconds?: number;
  readonly name?: string;
  readonly merchantId?: string;
}

export interface StaffSessionRequest {
  readonly sub: string;
  readonly stores: readonly string[];
  readonly role?: 'owner' | 'manager' | 'staff';
  readonly ttlSeconds?: number;
  readonly name?: string;
}

interface IdTokenRequest {
  readonly issuer: string;
  readonly audience: string;
  readonly sub: string;
  readonly name: string;
  readonly email?: string | undefined;
  readonly nonce?: string | undefined;
  readonly signedInAt: Date;
}

export interface Tokens {
  token(request: TokenRequest): Promise<string>;
  staffSessionToken(request: StaffSessionRequest): Promise<string>;
  idToken(request: IdTokenRequest): Promise<string>;
}

interface TokensOptions {
  readonly issuer: string;
  readonly key: SigningKey;
  readonly now: () => Date;
  readonly newId: () => string;
}

export const accessSeconds = 15 * 60;
const sessionSeconds = 12 * 60 * 60;
export const scopes = {
  customer: 'customer:read',
  merchant: 'merchant:read',
  staff: 'merchant:read',
  operator: 'operator:read operator:act operator:payload',
  partner: '',
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
    idToken({ issuer: iss, audience, sub, name, email, nonce, signedInAt }) {
      const about = { name, auth_time: Math.floor(signedInAt.getTime() / 1000), ...(nonce === undefined ? {} : { nonce }) };
      return sign(audience, accessSeconds, { iss, sub, ...about, ...(email === undefined ? {} : { email, email_verified: true }) });
    },
  };
}

const named = (name: string | undefined) => (name === undefined ? {} : { name });
