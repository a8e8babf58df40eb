import { createHash, randomBytes } from 'node:crypto';
import { OAuthError } from './oauth-error.ts';
import type { Person } from './people-and-clients.ts';

interface Grant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string | undefined;
  readonly person: Person;
  readonly signedInAt: Date;
}

export interface Redeemed {
  readonly grant: Grant;
  readonly refreshToken: string;
}

export interface Grants {
  issueCode(grant: Grant): string;
  /** Throws `invalid_grant`. A second use of a code revokes the tokens of the first. */
  redeemCode(code: string, by: { clientId: string; redirectUri: string; verifier: string }): Redeemed;
  /** Throws `invalid_grant`. A second use of a refresh token revokes all tokens of the same sign-in. */
  refresh(refreshToken: string, clientId: string): Redeemed;
  revoke(refreshToken: string, clientId: string): void;
}

interface Family {
  readonly grant: Grant;
  revoked: boolean;
}

interface Secret {
  readonly family: Family;
  readonly expiresAt: number;
  used: boolean;
}

const codeMs = 60_000;
const refreshMs = 12 * 60 * 60 * 1000;

export function createGrants(now: () => Date): Grants {
  const codes = new Map<string, Secret>();
  const refreshTokens = new Map<string, Secret>();

  const keep = (secrets: Map<string, Secret>, family: Family, lifeMs: number): string => {
    const time = now().getTime();
    for (const [value, { expiresAt }] of secrets) if (expiresAt <= time) secrets.delete(value);
    const value = randomBytes(32).toString('base64url');
    secrets.set(value, { family, expiresAt: time + lifeMs, used: false });
    return value;
  };

  const use = (secrets: Map<string, Secret>, value: string, clientId: string, what: string): Family => {
    const secret = secrets.get(value);
    if (!secret || secret.expiresAt <= now().getTime() || secret.family.grant.clientId !== clientId) {
      throw new OAuthError('invalid_grant', `the ${what} is not known, has expired, or is another client's`);
    }
    if (secret.used) secret.family.revoked = true;
    secret.used = true;
    if (secret.family.revoked) throw new OAuthError('invalid_grant', `the ${what} has been used before or was revoked`);
    return secret.family;
  };

  const redeemed = (family: Family): Redeemed => ({ grant: family.grant, refreshToken: keep(refreshTokens, family, refreshMs) });

  return {
    issueCode: (grant) => keep(codes, { grant, revoked: false }, codeMs),
    redeemCode(code, { clientId, redirectUri, verifier }) {
      const family = use(codes, code, clientId, 'code');
      if (family.grant.redirectUri !== redirectUri) {
        throw new OAuthError('invalid_grant', 'redirect_uri is not the one to which the code was sent');
      }
      if (challengeOf(verifier) !== family.grant.challenge) {
        throw new OAuthError('invalid_grant', 'code_verifier does not match the code_challenge');
      }
      return redeemed(family);
    },
    refresh: (refreshToken, clientId) => redeemed(use(refreshTokens, refreshToken, clientId, 'refresh token')),
    revoke(refreshToken, clientId) {
      const secret = refreshTokens.get(refreshToken);
      if (secret?.family.grant.clientId === clientId) secret.family.revoked = true;
    },
  };
}

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
