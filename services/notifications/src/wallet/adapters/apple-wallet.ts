import { signDownload } from '../../crypto.ts';
import type { AppleSigning } from './apple-pass.ts';
import { type ApplePushSettings, openApplePush } from './apple-push.ts';
import { cacheSignedPasses } from './cache-signed-passes.ts';
import type { AppleWallet } from './wallets.ts';

export interface AppleWalletSettings extends Omit<AppleSigning, 'webServiceUrl'>, Pick<ApplePushSettings, 'address' | 'authority'> {
  /** Where customers reach the gateway. */
  readonly baseUrl: string;
}

/** Opens Apple Wallet: bundles signed with the pass type’s certificate, and pushes that make devices fetch the newest one. */
export function openAppleWallet(settings: AppleWalletSettings): AppleWallet {
  const root = `${settings.baseUrl}/api/v1/notifications/wallet/apple`;
  const signing: AppleSigning = { ...settings, webServiceUrl: root };
  const apns = openApplePush({ ...settings, topic: settings.passTypeId });
  let signCached: ReturnType<typeof cacheSignedPasses> | undefined;
  return {
    server: `https://${settings.address}`,
    passTypeId: settings.passTypeId,
    async sign(pass) {
      // Its library is 120 modules, and a process that signs no pass does without them.
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
