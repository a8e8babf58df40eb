import { randomUUID } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import { openSigningKey } from './signing-key.ts';
import { createTokens, type Tokens } from './tokens.ts';

/** A name, not an address, so that tokens stay valid when a port changes. */
export const developmentIssuer = 'corner-development';

export interface IssuerOptions {
  readonly keyFile?: string;
  readonly issuer?: string;
  readonly now?: () => Date;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface Issuer extends Tokens {
  readonly issuer: string;
  readonly jwks: JSONWebKeySet;
}

/** Gives anyone any identity, so it rejects when NODE_ENV is production. `keyFile` keeps the key, so that tokens survive a restart. */
export async function createIssuer(options: IssuerOptions = {}): Promise<Issuer> {
  const { issuer = developmentIssuer, now = () => new Date(), env = process.env } = options;
  if (env.NODE_ENV === 'production') {
    throw new Error(
      'The development token issuer does not run with NODE_ENV=production: point AUTH_ISSUER and AUTH_JWKS_URL at your identity provider.',
    );
  }
  const key = await openSigningKey(options.keyFile);
  return { issuer, jwks: { keys: [key.public] }, ...createTokens({ issuer, key, now, newId: randomUUID }) };
}
