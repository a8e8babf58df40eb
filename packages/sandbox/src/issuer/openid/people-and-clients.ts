import type { TokenRequest } from '../tokens.ts';

/** A person who can be chosen on the sign-in page. */
export interface Person {
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly bearer: TokenRequest;
}

/** A program that signs people in. It is a public client: PKCE stands in for a secret. */
export interface OpenIdClient {
  readonly id: string;
  /** Where a code may be sent: exactly these addresses. */
  readonly redirectUris: readonly string[];
  /** Where a person may be sent after signing out: exactly these addresses. */
  readonly afterSignOut: readonly string[];
}
