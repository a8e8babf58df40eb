import { createHash, createHmac, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import type { Claims } from './rules.ts';

/**
 * Signs access tokens, refresh tokens and the links of invitations. None of them is stored.
 * `keys`: the public keys, the one that signs first.
 * `seal` returns `<value>.<code>`, where the code proves that this deployment made it for the purpose. `open` returns the value of a text
 * that was sealed for the purpose with any of the keys; null for any other text.
 * `derive` returns a code of a value that cannot be made without the first key, the same one each time.
 */
export interface TokenIssuer {
  signToken(claims: Claims & { readonly jti: string }, audience: string, now: Date, seconds: number): Promise<string>;
  readonly keys: readonly PublicKey[];
  seal(purpose: Purpose, value: string): string;
  derive(purpose: 'partner', value: string): string;
  open(purpose: Purpose, text: string): string | null;
}

export type Purpose = 'refresh' | 'invitation';

export interface PrivateKey {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly d: string;
  readonly kid?: string | undefined;
}

interface PublicKey {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
}

export function createTokenIssuer(issuer: string, privateKeys: readonly PrivateKey[]): TokenIssuer {
  const all = privateKeys.map(keyOf);
  const [first] = all;
  if (!first) throw new Error('a token issuer needs a key');
  return {
    keys: all.map(({ shown }) => shown),
    signToken: ({ sub, jti, ...claims }, audience, now, seconds) => {
      const issuedAt = Math.floor(now.getTime() / 1000);
      return new SignJWT({ ...claims, iss: issuer, aud: audience, sub, jti, iat: issuedAt, exp: issuedAt + seconds } as JWTPayload)
        .setProtectedHeader({ alg: 'ES256', kid: first.shown.kid, typ: 'JWT' })
        .sign(first.signs);
    },
    seal: (purpose, value) => `${value}.${codeOf(first.secret, purpose, value)}`,
    derive: (purpose, value) => codeOf(first.secret, purpose, value),
    open(purpose, text) {
      const at = text.lastIndexOf('.');
      const [value, code] = [text.slice(0, at), text.slice(at + 1)];
      return at > 0 && all.some(({ secret }) => areEqual(code, codeOf(secret, purpose, value))) ? value : null;
    },
  };
}

const codeOf = (secret: Buffer, purpose: Purpose | 'partner', value: string): string =>
  createHmac('sha256', secret).update(`${purpose} ${value}`).digest('base64url');

function areEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

interface Key {
  readonly signs: KeyObject;
  readonly shown: PublicKey;
  /** Derived from the private key, so that a deployment keeps one secret; a key that is removed ends what it sealed. */
  readonly secret: Buffer;
}

function keyOf(jwk: PrivateKey): Key {
  const signs = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  const { crv = '', kty = '', x = '', y = '' } = createPublicKey(signs).export({ format: 'jwk' });
  // The thumbprint of RFC 7638: its fields in the order of their names.
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  const secret = Buffer.from(hkdfSync('sha256', Buffer.from(jwk.d, 'base64url'), '', 'corner refresh tokens and invitations', 32));
  return { signs, shown: { kty, crv, x, y, kid: jwk.kid ?? thumbprint, alg: 'ES256', use: 'sig' }, secret };
}
