import { readFileSync } from 'node:fs';
import { signDownload } from '../../crypto.ts';
import type { CompletePass } from '../rules.ts';
import type { AppleSigning } from './apple-pass.ts';
import { type ApplePushSettings, openApplePush } from './apple-push.ts';
import type { AppleWallet } from './wallets.ts';

export interface AppleWalletSettings extends Omit<AppleSigning, 'webServiceUrl'>, Pick<ApplePushSettings, 'address' | 'authority'> {
  readonly baseUrl: string;
}

export function openAppleWallet(settings: AppleWalletSettings): AppleWallet {
  const root = `${settings.baseUrl}/api/v1/notifications/wallet/apple`;
  const signing: AppleSigning = { ...settings, webServiceUrl: root };
  const apns = openApplePush({ ...settings, topic: settings.passTypeId });
  let signCached: ReturnType<typeof cacheSignedPasses> | undefined;
  return {
    server: `https://${settings.address}`,
    passTypeId: settings.passTypeId,
    async sign(pass) {
      // Loaded only to sign: the library is 120 modules.
      const { signPass } = await import('./apple-pass.ts');
      signCached ??= cacheSignedPasses((complete) => signPass(complete, signing));
      return signCached(pass);
    },
    downloadLink({ serial, authToken }, expires) {
      const seconds = Math.floor(expires.getTime() / 1000);
      return `${root}/download/${serial}?expires=${seconds}&signature=${signDownload(authToken, serial, seconds)}`;
    },
    async update(_pass, pushTokens) {
      const outcomes = await Promise.all(pushTokens.map(apns.push));
      return {
        goneTokens: pushTokens.filter((_, index) => outcomes[index] === 'gone'),
        fault: outcomes.find((outcome) => outcome instanceof Error) ?? null,
      };
    },
    close: apns.close,
  };
}

const read = (name: string): Buffer => readFileSync(`${import.meta.dirname}/images/${name}.png`);

/** PassKit opens no bundle without an icon. */
export const passImages = { icon: read('icon'), icon2x: read('icon@2x'), icon3x: read('icon@3x'), logo: read('logo') };

const maxCached = 500;

/**
 * Caches signed bundles by their whole content, because signing blocks the process. 500 are some megabytes, and more passes than phones
 * request at once. When full, the least recently used is dropped.
 */
export function cacheSignedPasses(sign: (pass: CompletePass) => Buffer): (pass: CompletePass) => Buffer {
  const cache = new Map<string, { readonly content: string; readonly bundle: Buffer }>();
  return (pass) => {
    const content = JSON.stringify(pass);
    const cached = cache.get(pass.serial);
    const current = cached?.content === content ? cached : { content, bundle: sign(pass) };
    cache.delete(pass.serial);
    cache.set(pass.serial, current);
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
    return current.bundle;
  };
}
