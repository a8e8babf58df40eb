import { accessSeconds, scopes, type Tokens } from '../tokens.ts';
import type { Grants, Redeemed } from './grants.ts';
import { OAuthError, optional, required } from './oauth-error.ts';
import type { OpenIdClient } from './people-and-clients.ts';

export interface Exchange {
  readonly url: string;
  readonly grants: Grants;
  readonly clients: readonly OpenIdClient[];
  readonly tokens: Tokens;
}

export async function exchange(parameters: URLSearchParams, means: Exchange): Promise<object> {
  const clientId = clientIn(parameters, means.clients);
  const grantType = required(parameters, 'grant_type');
  if (grantType === 'authorization_code') {
    const redeemed = means.grants.redeemCode(required(parameters, 'code'), {
      clientId,
      redirectUri: required(parameters, 'redirect_uri'),
      verifier: required(parameters, 'code_verifier'),
    });
    return await tokensFor(redeemed, redeemed.grant.nonce, means);
  }
  if (grantType === 'refresh_token') {
    return await tokensFor(means.grants.refresh(required(parameters, 'refresh_token'), clientId), undefined, means);
  }
  throw new OAuthError('unsupported_grant_type', 'grant_type is authorization_code or refresh_token');
}

export function revoke(parameters: URLSearchParams, { grants, clients }: Exchange): void {
  grants.revoke(required(parameters, 'token'), clientIn(parameters, clients));
}

function clientIn(parameters: URLSearchParams, clients: readonly OpenIdClient[]): string {
  const id = optional(parameters, 'client_id');
  if (!clients.some((client) => client.id === id)) throw new OAuthError('invalid_client', 'no client has this id');
  return id ?? '';
}

/** The scope is the person's, whatever the client requested; the response names it. */
async function tokensFor({ grant, refreshToken }: Redeemed, nonce: string | undefined, { url, tokens }: Exchange): Promise<object> {
  const { person, clientId, signedInAt } = grant;
  const { sub, typ, scope = scopes[typ] } = person.bearer;
  return {
    access_token: await tokens.token(person.bearer),
    token_type: 'Bearer',
    expires_in: accessSeconds,
    refresh_token: refreshToken,
    scope: `openid profile ${scope}`,
    id_token: await tokens.idToken({ issuer: url, audience: clientId, sub, name: person.name, email: person.email, nonce, signedInAt }),
  };
}
