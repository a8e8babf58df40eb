import { importPKCS8, SignJWT } from 'jose';
import { request } from 'undici';
import { openGoogleAccess, type ServiceAccount } from '../../adapters/google-access.ts';
import { classOf, objectOf } from './google-pass.ts';
import type { GoogleWallet } from './wallets.ts';

export interface GoogleWalletSettings {
  readonly account: ServiceAccount;
  readonly issuerId: string;
  /** Base address of the Wallet API. */
  readonly apiBase: string;
  /** Where customers reach the gateway. */
  readonly baseUrl: string;
}

/** Milliseconds the Wallet API may take to answer. */
const patienceMs = 10_000;
const scope = 'https://www.googleapis.com/auth/wallet_object.issuer';

/** Google Wallet: an object for each pass and a class for each store, kept by REST. */
export function openGoogleWallet({ account, issuerId, apiBase, baseUrl }: GoogleWalletSettings, now: () => Date): GoogleWallet {
  const access = openGoogleAccess(account, scope, now);
  const root = `${apiBase.replace(/\/$/, '')}/walletobjects/v1`;
  const plainLogo = `${baseUrl}/api/v1/notifications/wallet/logo.png`;
  /** Classes as this process has last told them: most changes of a pass leave its store’s class as it is. */
  const classes = new Map<string, string>();

  async function send(method: 'PATCH' | 'POST', path: string, body: object): Promise<number> {
    const token = await access.token();
    const response = await request(`${root}/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.body.dump();
    if (response.statusCode === 401) access.forget(token);
    return response.statusCode;
  }

  /** Changes what is there, or makes it. Two passes of a new store may both set out to make its class: the later one changes it. */
  async function put(kind: 'loyaltyClass' | 'loyaltyObject', value: { readonly id: string }): Promise<void> {
    const change = () => send('PATCH', `${kind}/${value.id}`, value);
    let status = await change();
    if (status === 404) status = await send('POST', kind, value);
    if (status === 409) status = await change();
    if (status !== 200) throw new Error(`the Wallet API answered ${status} for a ${kind}`);
  }

  return {
    async publish(pass) {
      const store = classOf(pass, issuerId, plainLogo);
      try {
        const written = JSON.stringify(store);
        if (classes.get(store.id) !== written) await put('loyaltyClass', store);
        classes.set(store.id, written);
        await put('loyaltyObject', objectOf(pass, issuerId));
        return { gone: [], fault: null };
      } catch (fault) {
        // It may be the class that is missing over there: the next try tells it again.
        classes.delete(store.id);
        return { gone: [], fault };
      }
    },
    async saveLink(pass, at) {
      // The link carries both whole, so that it works before the API has been told, and while it cannot be.
      const token = await new SignJWT({
        typ: 'savetowallet',
        origins: [baseUrl],
        payload: { loyaltyClasses: [classOf(pass, issuerId, plainLogo)], loyaltyObjects: [objectOf(pass, issuerId)] },
      })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
        .setIssuer(account.client_email)
        .setAudience('google')
        .setIssuedAt(Math.floor(at.getTime() / 1000))
        .sign(await importPKCS8(account.private_key, 'RS256'));
      return `https://pay.google.com/gp/v/save/${token}`;
    },
    close: async () => {},
  };
}
