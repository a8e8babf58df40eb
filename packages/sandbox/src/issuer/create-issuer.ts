import { randomUUID } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import { openSigningKey } from './signing-key.ts';
import { createTokens, type Tokens } from './tokens.ts';

/** The `iss` of development tokens. A name and not an address, so that tokens stay valid when a port changes. */
export const developmentIssuer = 'corner-development';

export interface IssuerOptions {
  /** File of the key, so that tokens survive a restart; readable by its owner only. */
  readonly keyFile?: string;
  /** The `iss` claim; {@link developmentIssuer} when absent. */
  readonly issuer?: string;
  readonly now?: () => Date;
  /** Environment in which NODE_ENV is looked up; the process's own when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface Issuer extends Tokens {
  readonly issuer: string;
  readonly jwks: JSONWebKeySet;
}

/** An identity provider for development. Anyone who can call it gets any identity, so it rejects when NODE_ENV is production. */
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
