import * as oidc from 'openid-client';
import { consoleClientId } from '../../demo/console-people.ts';
import type { RunningIssuer } from '../start-issuer.ts';

export const origin = 'http://localhost:4005';
const redirectUri = `${origin}/sign-in/callback`;

export const discover = (issuer: RunningIssuer): Promise<oidc.Configuration> =>
  oidc.discovery(new URL(issuer.url), consoleClientId, undefined, oidc.None(), { execute: [oidc.allowInsecureRequests] });

export interface Begun {
  readonly address: URL;
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

export async function begin(config: oidc.Configuration, changes: Readonly<Record<string, string | null>> = {}): Promise<Begun> {
  const verifier = oidc.randomPKCECodeVerifier();
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  return { address, verifier, state, nonce };
}

export async function choose(
  { address }: Pick<Begun, 'address'>,
  person: string | Record<string, string>,
  headers: Record<string, string> = {},
): Promise<URL> {
  const response = await fetch(address, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: address.origin, ...headers },
    body: new URLSearchParams(typeof person === 'string' ? { person } : person),
  });
  const to = response.headers.get('location');
  if (response.status !== 303 || to === null) throw new Error(`${response.status}: ${await response.text()}`);
  return new URL(to);
}

export const redeem = (
  config: oidc.Configuration,
  begun: Begun,
  back: URL,
): Promise<oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers> =>
  oidc.authorizationCodeGrant(config, back, {
    pkceCodeVerifier: begun.verifier,
    expectedState: begun.state,
    expectedNonce: begun.nonce,
    idTokenExpected: true,
  });

export async function signIn(config: oidc.Configuration, person: string | Record<string, string>) {
  const begun = await begin(config);
  return await redeem(config, begun, await choose(begun, person));
}

export async function post(issuer: RunningIssuer, form: Readonly<Record<string, string>>): Promise<[status: number, error: unknown]> {
  const response = await fetch(`${issuer.url}/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: consoleClientId, redirect_uri: redirectUri, ...form }),
  });
  return [response.status, ((await response.json()) as { error: unknown }).error];
}
