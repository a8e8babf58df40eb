import { request } from 'undici';
import { openGoogleAccess } from '../../adapters/google-access.ts';
import type { ServiceAccount } from '../../config.ts';
import { type CompletePass, type PassState, passColours, passContent } from '../rules.ts';
import { signSaveLink } from './google-save-link.ts';
import type { GoogleWallet } from './wallets.ts';

export interface GoogleWalletSettings {
  readonly account: ServiceAccount;
  readonly issuerId: string;
  readonly apiBase: string;
  readonly baseUrl: string;
}

const timeoutMs = 10_000;
const scope = 'https://www.googleapis.com/auth/wallet_object.issuer';

export function openGoogleWallet({ account, issuerId, apiBase, baseUrl }: GoogleWalletSettings, clock: () => Date): GoogleWallet {
  const put = openWalletApi(apiBase, openGoogleAccess(account, scope, clock));
  const defaultLogo = `${baseUrl}/api/v1/notifications/wallet/logo.png`;
  /** The classes this process has last written, by id. Most changes of a pass leave its store's class as it is. */
  const writtenClasses = new Map<string, string>();
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
    // The link contains the object, and the class unless it was written here, so it works before the API has them, and while it is away.
    saveLink(pass, now) {
      const storeClass = classOf(pass, issuerId, defaultLogo);
      const isWritten = writtenClasses.get(storeClass.id) === JSON.stringify(storeClass);
      return signSaveLink(account, now, baseUrl, {
        storeClass: isWritten ? null : storeClass,
        object: objectOf(pass, issuerId),
        logo: logoAt(defaultLogo),
      });
    },
    close: async () => {},
  };
}

/** Updates a class or object, or creates it. If two passes create one class concurrently, the second updates it. */
function openWalletApi(apiBase: string, access: GoogleAccess): (kind: WalletResource, value: { readonly id: string }) => Promise<void> {
  const root = `${apiBase.replace(/\/$/, '')}/walletobjects/v1`;
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
  return async (kind, value) => {
    const update = () => send('PATCH', `${kind}/${value.id}`, value);
    let status = await update();
    if (status === 404) status = await send('POST', kind, value);
    if (status === 409) status = await update();
    if (status !== 200) throw new Error(`the Wallet API returned ${status} for a ${kind}`);
  };
}

type WalletResource = 'loyaltyClass' | 'loyaltyObject';
type GoogleAccess = ReturnType<typeof openGoogleAccess>;

const states = { active: 'ACTIVE', redeemed: 'INACTIVE', voided: 'INACTIVE', expired: 'EXPIRED' } as const;

const googleIds = (issuerId: string, { storeId, serial }: Pick<PassState, 'storeId' | 'serial'>) => ({
  classId: `${issuerId}.store-${storeId}`,
  objectId: `${issuerId}.pass-${serial}`,
});

const logoAt = (uri: string) => ({ sourceUri: { uri } });

function classOf(pass: PassState, issuerId: string, defaultLogo: string) {
  const logo = pass.logoUrl?.startsWith('https://') ? pass.logoUrl : defaultLogo;
  return {
    id: googleIds(issuerId, pass).classId,
    issuerName: pass.storeName,
    programName: pass.storeName,
    programLogo: logoAt(logo),
    hexBackgroundColor: passColours(pass.background).background,
    reviewStatus: 'UNDER_REVIEW',
  };
}

function objectOf(pass: CompletePass, issuerId: string) {
  const { status, reward, rewardsReady, voucher, barcode } = passContent(pass);
  const { classId, objectId } = googleIds(issuerId, pass);
  return {
    id: objectId,
    classId,
    state: states[pass.state],
    loyaltyPoints: { label: status.label, balance: { string: status.value } },
    textModulesData: [
      { id: 'reward', header: reward.label, body: reward.value },
      ...(rewardsReady ? [{ id: 'ready', header: rewardsReady.label, body: rewardsReady.value }] : []),
      ...(voucher ? [{ id: 'code', header: voucher.code.label, body: voucher.code.value }] : []),
      ...(voucher ? [{ id: 'until', header: voucher.lastDay.label, body: voucher.lastDay.value }] : []),
    ],
    ...(voucher ? { validTimeInterval: { end: { date: voucher.expiresAt } } } : {}),
    barcode: { type: 'QR_CODE', value: barcode, ...(voucher ? { alternateText: voucher.code.value } : {}) },
  };
}
