import { readFileSync } from 'node:fs';
import { importPKCS8, SignJWT } from 'jose';
import type { RunningMessages } from '../start-messages.ts';

export interface Assertion {
  readonly aud?: string;
  readonly scope?: string | undefined;
  readonly iss?: string;
  readonly kid?: string;
  readonly iat: number;
  readonly lifetime?: number;
  readonly key?: string;
}

export interface FcmAnswer {
  readonly name?: string;
  readonly error?: { readonly status: string; readonly details?: readonly { readonly errorCode?: string }[] };
}

export interface WalletAnswer {
  readonly error?: { readonly status: string };
}

export const walletScope = 'https://www.googleapis.com/auth/wallet_object.issuer';

export function googleClientOf({ environment }: RunningMessages) {
  const account = JSON.parse(readFileSync(environment.FCM_SERVICE_ACCOUNT_FILE ?? '', 'utf8'));

  async function exchange({ iat, lifetime = 3_600, ...given }: Assertion): Promise<Response> {
    const scope = 'scope' in given ? given.scope : 'https://www.googleapis.com/auth/firebase.messaging';
    const assertion = await new SignJWT(scope === undefined ? {} : { scope })
      .setProtectedHeader({ alg: 'RS256', kid: given.kid ?? account.private_key_id })
      .setIssuer(given.iss ?? account.client_email)
      .setAudience(given.aud ?? account.token_uri)
      .setIssuedAt(iat)
      .setExpirationTime(iat + lifetime)
      .sign(await importPKCS8(given.key ?? account.private_key, 'RS256'));
    return await fetch(account.token_uri, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
    });
  }

  return {
    account,
    exchange,
    async accessToken(assertion: Assertion): Promise<string> {
      const { access_token: token } = (await (await exchange(assertion)).json()) as { access_token?: unknown };
      if (typeof token !== 'string') throw new Error('no access token was given');
      return token;
    },
    async wallet(token: string | undefined, method: string, path: string, body?: object) {
      const response = await fetch(`${environment.FCM_API_BASE}/walletobjects/v1/${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
        body: body === undefined ? null : JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as WalletAnswer };
    },
    async send(token: string | undefined, message: unknown, project: string = account.project_id) {
      const response = await fetch(`${environment.FCM_API_BASE}/v1/projects/${project}/messages:send`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
        body: typeof message === 'string' ? message : JSON.stringify({ message }),
      });
      return { status: response.status, retryAfter: response.headers.get('retry-after'), body: (await response.json()) as FcmAnswer };
    },
  };
}
