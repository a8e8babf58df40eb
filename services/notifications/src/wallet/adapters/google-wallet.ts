import { importPKCS8, SignJWT } from 'jose';
import { request } from 'undici';
import { openGoogleAccess } from '../../adapters/google-access.ts';
import type { ServiceAccount } from '../../config.ts';
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

/** Milliseconds to wait for a response of the Wallet API. */
const timeoutMs = 10_000;
const scope = 'https://www.googleapis.com/auth/wallet_object.issuer';

/** Opens Google Wallet: an object for each pass and a class for each store, written over REST. */
export function openGoogleWallet({ account, issuerId, apiBase, baseUrl }: GoogleWalletSettings, clock: () => Date): GoogleWallet {
  const access = openGoogleAccess(account, scope, clock);
  const root = `${apiBase.replace(/\/$/, '')}/walletobjects/v1`;
  const defaultLogo = `${baseUrl}/api/v1/notifications/wallet/logo.png`;
  /** The classes this process has last written, by id. Most changes of a pass leave its store’s class as it is. */
  const writtenClasses = new Map<string, string>();

  async function send(method: 'PATCH' | 'POST', path: string, body: object): Promise<number> {
    const token = await access.token();
    const response = await request(`${root}/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body.dump();
    if (response.statusCode === 401) access.invalidate(token);
    return response.statusCode;
  }

  /** Updates a class or object, or creates it. Two passes of a new store may both try to create its class: the second one then updates it. */
  async function put(kind: 'loyaltyClass' | 'loyaltyObject', value: { readonly id: string }): Promise<void> {
    const update = () => send('PATCH', `${kind}/${value.id}`, value);
    let status = await update();
    if (status === 404) status = await send('POST', kind, value);
    if (status === 409) status = await update();
    if (status !== 200) throw new Error(`the Wallet API returned ${status} for a ${kind}`);
  }

  return {
    server: apiBase,
    async update(pass) {
      const storeClass = classOf(pass, issuerId, defaultLogo);
      try {
        const content = JSON.stringify(storeClass);
        if (writtenClasses.get(storeClass.id) !== content) await put('loyaltyClass', storeClass);
        writtenClasses.set(storeClass.id, content);
        await put('loyaltyObject', objectOf(pass, issuerId));
        return { goneTokens: [], fault: null };
      } catch (fault) {
        // Google may have lost the class: the next attempt writes it again.
        writtenClasses.delete(storeClass.id);
        return { goneTokens: [], fault };
      }
    },
    async saveLink(pass, now) {
      // The link contains the class and the object, so it works before the API has them, and while the API is away.
      const token = await new SignJWT({
        typ: 'savetowallet',
        origins: [baseUrl],
        payload: { loyaltyClasses: [classOf(pass, issuerId, defaultLogo)], loyaltyObjects: [objectOf(pass, issuerId)] },
      })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
        .setIssuer(account.client_email)
        .setAudience('google')
        .setIssuedAt(Math.floor(now.getTime() / 1000))
        .sign(await importPKCS8(account.private_key, 'RS256'));
      return `https://pay.google.com/gp/v/save/${token}`;
    },
    close: async () => {},
  };
}
