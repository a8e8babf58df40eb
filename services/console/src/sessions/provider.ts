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
import type { ConsoleConfig } from '../config.ts';

/** What a sign-in must remember until the browser comes back from the provider. */
export interface Asked {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The tokens that the provider gave. */
export interface Granted {
  readonly token: string;
  /** Absent when the provider gives none: the session then ends with the token. */
  readonly refresh?: string;
  readonly name?: string;
}

/** The OpenID provider: authorization code flow with PKCE, state and nonce. */
export interface Provider {
  /** Returns the address to send the browser to. */
  begin(): Promise<{ readonly url: URL; readonly asked: Asked }>;
  /**
   * Exchanges the code in the address that the browser came back to. Throws when the answer is not to what was asked, and UPSTREAM_UNAVAILABLE when
   * the provider cannot say.
   */
  finish(cameBackTo: URL, asked: Asked): Promise<Granted>;
  /** Returns null when the provider refuses the token for good. Throws UPSTREAM_UNAVAILABLE when it cannot say. */
  refresh(token: string): Promise<Granted | null>;
  /** Ends a refresh token, where the provider can. */
  revoke(token: string): Promise<void>;
  /** Returns where the browser ends the session at the provider; null when the provider has no such place. */
  endSessionUrl(): Promise<URL | null>;
  /** Why the provider could not be asked the last time; null when all is well. */
  readonly fault: string | null;
}

const timeoutSeconds = 10;

/** Creates the provider. Its settings are discovered when they are first needed, so the server starts while the provider is away. */
export function createProvider(config: ConsoleConfig): Provider {
  const redirect_uri = `${config.CONSOLE_URL}/sign-in/callback`;
  const server = new URL(config.CONSOLE_ISSUER ?? config.AUTH_ISSUER);
  let discovered: Promise<Configuration> | null = null;
  let fault: string | null = null;

  const configuration = async (): Promise<Configuration> => {
    discovered ??= discovery(
      server,
      config.CONSOLE_CLIENT_ID,
      config.CONSOLE_CLIENT_SECRET,
      config.CONSOLE_CLIENT_SECRET === undefined ? None() : undefined,
      { timeout: timeoutSeconds, ...(server.protocol === 'http:' ? { execute: [allowInsecureRequests] } : {}) },
    ).then((found) => {
      fault = null;
      return found;
    });
    try {
      return await discovered;
    } catch (cause) {
      discovered = null;
      fault = 'its settings cannot be read';
      throw unavailable(cause);
    }
  };

  const ask = async <T>(call: (found: Configuration) => Promise<T>): Promise<T> => {
    const found = await configuration();
    try {
      const reply = await call(found);
      fault = null;
      return reply;
    } catch (cause) {
      if (isRefusal(cause)) throw cause;
      fault = 'it does not answer as it should';
      throw unavailable(cause);
    }
  };

  return {
    async begin() {
      const asked = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri,
        scope: config.CONSOLE_SCOPE,
        code_challenge: await calculatePKCECodeChallenge(asked.verifier),
        code_challenge_method: 'S256',
        state: asked.state,
        nonce: asked.nonce,
      });
      return { url, asked };
    },
    async finish({ search }, { state, nonce, verifier }) {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      return await ask(async (found) => grantedBy(await authorizationCodeGrant(found, new URL(`${redirect_uri}${search}`), checks)));
    },
    refresh: (token) =>
      ask(async (found) => {
        try {
          return { refresh: token, ...grantedBy(await refreshTokenGrant(found, token)) };
        } catch (error) {
          if (isInvalidGrant(error)) return null;
          throw error;
        }
      }),
    revoke: (token) =>
      ask(async (found) => {
        if (found.serverMetadata().revocation_endpoint !== undefined) await tokenRevocation(found, token);
      }),
    async endSessionUrl() {
      const found = await configuration();
      if (found.serverMetadata().end_session_endpoint === undefined) return null;
      return buildEndSessionUrl(found, { post_logout_redirect_uri: `${config.CONSOLE_URL}/` });
    },
    get fault() {
      return fault;
    },
  };
}

const unavailable = (cause: unknown): Problem =>
  new Problem('UPSTREAM_UNAVAILABLE', { message: 'The sign-in provider does not respond.', retryAfterSeconds: 2, cause });

const isInvalidGrant = (error: unknown): boolean => error instanceof ResponseBodyError && error.error === 'invalid_grant';

/** Codes of the library for a provider that did not answer, or not as one. */
const noAnswer: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** Whether the provider, or a check of what it sent, said no to what a browser brought. Everything else is an outage or a wrong setting. */
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
