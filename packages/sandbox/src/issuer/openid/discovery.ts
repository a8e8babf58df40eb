import { scopes } from '../tokens.ts';

export interface IssuerAddresses {
  readonly url: string;
  readonly pagesUrl: string;
}

export const jwksPath = '/.well-known/jwks.json';

/** The document's issuer is the address, while access tokens keep a name as `iss`, which outlives a port. */
export function discoveryDocument({ url, pagesUrl }: IssuerAddresses): object {
  return {
    issuer: url,
    authorization_endpoint: `${pagesUrl}/authorize`,
    token_endpoint: `${url}/token`,
    revocation_endpoint: `${url}/revoke`,
    end_session_endpoint: `${pagesUrl}/sign-out`,
    jwks_uri: `${url}${jwksPath}`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    scopes_supported: ['openid', 'profile', 'email', ...new Set(Object.values(scopes).flatMap((all) => all.split(' ')))],
    claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'name', 'email', 'email_verified'],
    prompt_values_supported: ['login', 'select_account', 'none'],
    authorization_response_iss_parameter_supported: true,
  };
}
