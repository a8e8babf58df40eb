import { Problem } from '@corner/contracts';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  None,
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
  /** Exchanges the code in the address that the browser came back to. Throws when the answer is not to what was asked. */
  finish(cameBackTo: URL, asked: Asked): Promise<Granted>;
  refresh(token: string): Promise<Granted>;
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
    );
    try {
      const found = await discovered;
      fault = null;
      return found;
    } catch (cause) {
      discovered = null;
      fault = 'its settings cannot be read';
      throw new Problem('UPSTREAM_UNAVAILABLE', { message: 'The sign-in provider does not respond.', retryAfterSeconds: 2, cause });
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
      return grantedBy(await authorizationCodeGrant(await configuration(), new URL(`${redirect_uri}${search}`), checks));
    },
    refresh: async (token) => ({ refresh: token, ...grantedBy(await refreshTokenGrant(await configuration(), token)) }),
    async revoke(token) {
      const found = await configuration();
      if (found.serverMetadata().revocation_endpoint !== undefined) await tokenRevocation(found, token);
    },
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

function grantedBy(tokens: TokenEndpointResponse & TokenEndpointResponseHelpers): Granted {
  const name = tokens.claims()?.name;
  return {
    token: tokens.access_token,
    ...(tokens.refresh_token === undefined ? {} : { refresh: tokens.refresh_token }),
    ...(typeof name === 'string' ? { name } : {}),
  };
}
