import { Problem } from '@corner/contracts';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientError,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  None,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
  tokenRevocation,
} from 'openid-client';

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scope: string;
  readonly redirectUri: string;
  readonly signedOutUri: string;
  /** `select_account` makes the provider ask for the account although it has a session: a phone may be shared. */
  readonly prompt?: 'select_account';
}

export interface Asked {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface Granted {
  readonly token: string;
  /** Absent when the provider issues none: the session then ends with the token. */
  readonly refresh?: string;
  readonly name?: string;
}

export interface Confirmed {
  readonly granted: Granted;
  readonly idToken: string;
}

/** The OpenID provider: authorization code flow with PKCE, state and nonce. */
export interface Provider {
  begin(): Promise<{ readonly url: URL; readonly asked: Asked }>;
  /**
   * Redeems the code in the address that the browser returned to. Throws when state, nonce or code belong to another sign-in, and
   * UPSTREAM_UNAVAILABLE when the provider does not reply.
   */
  finish(cameBackTo: URL, asked: Asked): Promise<Confirmed>;
  /** Returns null when the provider refuses the token for good. Throws UPSTREAM_UNAVAILABLE when it does not reply. */
  refresh(token: string): Promise<Granted | null>;
  revoke(token: string): Promise<void>;
  /** Returns where the browser ends the session at the provider; null when the provider has no such place. */
  endSessionUrl(): Promise<URL | null>;
  readonly fault: string | null;
}

const timeoutSeconds = 10;

/** Discovers the settings when they are first needed, so the server starts while the provider is away. */
export function createProvider(settings: ProviderSettings): Provider {
  const { redirectUri: redirect_uri, prompt, scope } = settings;
  const connection = createConnection(settings);
  return {
    async begin() {
      const asked = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(await connection.settings(), {
        redirect_uri,
        scope,
        ...(prompt === undefined ? {} : { prompt }),
        code_challenge: await calculatePKCECodeChallenge(asked.verifier),
        code_challenge_method: 'S256',
        state: asked.state,
        nonce: asked.nonce,
      });
      return { url, asked };
    },
    finish({ search }, { state, nonce, verifier }) {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      return connection.call(async (found) => {
        const tokens = await authorizationCodeGrant(found, new URL(`${redirect_uri}${search}`), checks);
        return { granted: grantedBy(tokens), idToken: tokens.id_token ?? '' };
      });
    },
    refresh: (token) =>
      connection.call(async (found) => {
        try {
          return { refresh: token, ...grantedBy(await refreshTokenGrant(found, token)) };
        } catch (error) {
          if (isInvalidGrant(error)) return null;
          throw error;
        }
      }),
    revoke: (token) =>
      connection.call(async (found) => {
        if (found.serverMetadata().revocation_endpoint !== undefined) await tokenRevocation(found, token);
      }),
    async endSessionUrl() {
      const found = await connection.settings();
      if (found.serverMetadata().end_session_endpoint === undefined) return null;
      return buildEndSessionUrl(found, { post_logout_redirect_uri: settings.signedOutUri });
    },
    get fault() {
      return connection.fault;
    },
  };
}

/** Both functions throw UPSTREAM_UNAVAILABLE; a call rethrows refusals unchanged. */
function createConnection(provider: ProviderSettings) {
  let discovered: Promise<Configuration> | null = null;
  let fault: string | null = null;

  const settings = async (): Promise<Configuration> => {
    try {
      discovered ??= discover(provider).then((found) => {
        fault = null;
        return found;
      });
      return await discovered;
    } catch (cause) {
      discovered = null;
      fault = 'its settings cannot be read';
      throw unavailable(cause);
    }
  };
  return {
    settings,
    async call<T>(send: (found: Configuration) => Promise<T>): Promise<T> {
      const found = await settings();
      try {
        const reply = await send(found);
        fault = null;
        return reply;
      } catch (cause) {
        if (isRefusal(cause)) throw cause;
        fault = 'it does not answer as it should';
        throw unavailable(cause);
      }
    },
    get fault() {
      return fault;
    },
  };
}

function discover({ issuer, clientId: id, clientSecret: secret }: ProviderSettings): Promise<Configuration> {
  const server = new URL(issuer);
  return discovery(server, id, secret, secret === undefined ? None() : undefined, {
    timeout: timeoutSeconds,
    ...(server.protocol === 'http:' ? { execute: [allowInsecureRequests] } : {}),
  });
}

const unavailable = (cause: unknown): Problem =>
  new Problem('UPSTREAM_UNAVAILABLE', { message: 'The sign-in provider does not respond.', retryAfterSeconds: 2, cause });

const isInvalidGrant = (error: unknown): boolean => error instanceof ResponseBodyError && error.error === 'invalid_grant';

const noAnswer: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** The provider, or a check of its response, refused the sign-in. Every other error is an outage or a wrong setting. */
const isRefusal = (error: unknown): boolean =>
  isInvalidGrant(error) ||
  error instanceof AuthorizationResponseError ||
  (error instanceof ClientError && error.code !== undefined && !noAnswer.has(error.code));

function grantedBy(tokens: TokenEndpointResponse & TokenEndpointResponseHelpers): Granted {
  const name = tokens.claims()?.name;
  return {
    token: tokens.access_token,
    ...(tokens.refresh_token === undefined ? {} : { refresh: tokens.refresh_token }),
    ...(typeof name === 'string' ? { name } : {}),
  };
}
