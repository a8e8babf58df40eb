import type { IssuerAddresses } from './discovery.ts';
import type { Grants } from './grants.ts';
import { OAuthError, optional, required } from './oauth-error.ts';
import { newcomer, type OpenIdClient, type Person } from './people-and-clients.ts';

interface Asked {
  readonly client: OpenIdClient;
  readonly redirectUri: string;
}

export interface Authorization extends IssuerAddresses {
  readonly grants: Grants;
  readonly people: Person[];
  readonly clients: readonly OpenIdClient[];
  readonly now: () => Date;
}

export type Authorized = { readonly kind: 'page'; readonly origin: string } | { readonly kind: 'redirect'; readonly to: string };

export type Chosen = { readonly person: string } | { readonly name: string; readonly email: string };

/**
 * `chosen` is absent until the page is submitted. Throws an {@link OAuthError} for an unknown client or address, since a browser may be
 * redirected only to the client's own.
 */
export function authorize(parameters: URLSearchParams, chosen: Chosen | undefined, means: Authorization): Authorized {
  const asked = findClient(parameters, means.clients);
  try {
    const { challenge, nonce } = readRequest(parameters);
    if (chosen === undefined && parameters.get('prompt') === 'none') throw new OAuthError('login_required', 'a person must be chosen');
    if (chosen === undefined) return { kind: 'page', origin: new URL(asked.redirectUri).origin };
    const person = findPerson(chosen, means.people);
    if (!person) throw new OAuthError('access_denied', 'this person is not known');
    const grant = { clientId: asked.client.id, redirectUri: asked.redirectUri, challenge, nonce, person, signedInAt: means.now() };
    return redirect(parameters, asked, means, { code: means.grants.issueCode(grant) });
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return redirect(parameters, asked, means, { error: error.code, error_description: error.message });
  }
}

function findPerson(chosen: Chosen, people: Person[]): Person | undefined {
  if ('person' in chosen) return people.find(({ key }) => key === chosen.person);
  const person = newcomer(chosen.name, chosen.email);
  const known = people.findIndex(({ key }) => key === person.key);
  people.splice(known < 0 ? people.length : known, 1, person);
  return person;
}

function findClient(parameters: URLSearchParams, clients: readonly OpenIdClient[]): Asked {
  const id = required(parameters, 'client_id');
  const redirectUri = required(parameters, 'redirect_uri');
  const client = clients.find((one) => one.id === id);
  if (!client) throw new OAuthError('invalid_request', `no client has the id ${id}`);
  if (!client.redirectUris.includes(redirectUri)) {
    throw new OAuthError('invalid_request', `redirect_uri is none of this client's: ${client.redirectUris.join(', ')}`);
  }
  return { client, redirectUri };
}

function readRequest(parameters: URLSearchParams): { challenge: string; nonce: string | undefined } {
  if (required(parameters, 'response_type') !== 'code') throw new OAuthError('unsupported_response_type', 'response_type is code');
  if ((optional(parameters, 'response_mode') ?? 'query') !== 'query') throw new OAuthError('invalid_request', 'response_mode is query');
  if (!required(parameters, 'scope').split(' ').includes('openid')) throw new OAuthError('invalid_scope', 'scope includes openid');
  const challenge = required(parameters, 'code_challenge');
  // Without a method the challenge would be plain, which reveals the verifier to those it should be hidden from.
  if (optional(parameters, 'code_challenge_method') !== 'S256') throw new OAuthError('invalid_request', 'code_challenge_method is S256');
  if (!/^[\w-]{43}$/.test(challenge)) throw new OAuthError('invalid_request', 'code_challenge is not a SHA-256 in base64url');
  return { challenge, nonce: optional(parameters, 'nonce') };
}

function redirect(parameters: URLSearchParams, { redirectUri }: Asked, { url }: Authorization, result: Record<string, string>): Authorized {
  const to = new URL(redirectUri);
  const state = parameters.get('state');
  for (const [name, value] of Object.entries({ ...result, ...(state === null ? {} : { state }), iss: url })) {
    to.searchParams.set(name, value);
  }
  return { kind: 'redirect', to: to.href };
}
