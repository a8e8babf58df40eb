import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';
import * as oidc from 'openid-client';

/**
 * An OpenID server as anyone may run one: the certified server of npm, with its own keys, sessions and pages. `signIn` signs a person in by
 * the authorization code flow with PKCE, as a browser does, and returns the client's tokens.
 */
export interface OpenIdServer extends AsyncDisposable {
  readonly issuer: string;
  signIn(login: string, clientId?: string): Promise<oidc.TokenEndpointResponse>;
}

const redirectUri = 'http://127.0.0.1/callback';
const resource = 'https://api.example';

export async function startOpenIdServer(algorithms: Readonly<Record<string, string>>): Promise<OpenIdServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, await configurationOf(algorithms));
  server.on('request', provider.callback());
  return {
    issuer,
    async signIn(login, clientId = Object.keys(algorithms)[0] ?? '') {
      const insecure = { execute: [oidc.allowInsecureRequests] };
      const config = await oidc.discovery(new URL(issuer), clientId, algorithmOf(algorithms[clientId]), oidc.None(), insecure);
      const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
      const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
      const address = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        resource,
        state: expectedState,
        nonce: expectedNonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      });
      const back = await asBrowser(address, login);
      return await oidc.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true });
    },
    [Symbol.asyncDispose]: () => closed(server),
  };
}

const algorithmOf = (alg = 'RS256') => ({ id_token_signed_response_alg: alg });

async function configurationOf(algorithms: Readonly<Record<string, string>>): Promise<Configuration> {
  const keys = await Promise.all([...new Set(Object.values(algorithms))].map(keyOf));
  return {
    clients: Object.entries(algorithms).map(([client_id, alg]) => ({
      client_id,
      token_endpoint_auth_method: 'none',
      redirect_uris: [redirectUri],
      application_type: 'native',
      id_token_signed_response_alg: alg as 'RS256',
    })),
    jwks: { keys: keys as never },
    enabledJWA: { idTokenSigningAlgValues: Object.values(algorithms) as never },
    claims: { profile: ['name'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ sub, name: `Name of ${sub}`, email: `${sub}@example.com`, email_verified: true }),
    }),
    features: {
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: 'openid profile email',
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: Object.values(algorithms)[0] as 'RS256' } },
        }),
      },
    },
    cookies: { keys: ['a key of a test'] },
  };
}

async function keyOf(alg: string): Promise<object> {
  const { exportJWK, generateKeyPair } = await import('jose');
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: `key of ${alg}` };
}

async function asBrowser(begin: URL, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let address = begin;
  let form: URLSearchParams | null = null;
  for (let steps = 0; steps < 12; steps += 1) {
    const response: Response = await fetch(address, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { body: form } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) {
      address = new URL(location, address);
      if (address.href.startsWith(redirectUri)) return address;
      form = null;
      continue;
    }
    const page = await response.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (response.status !== 200 || prompt === undefined)
      throw new Error(`${response.status} of ${address.pathname}: ${page.slice(0, 400)}`);
    address = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', address);
    form = new URLSearchParams(prompt === 'login' ? { prompt, login, password: 'any' } : { prompt });
  }
  throw new Error('the server did not send the browser back');
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });
