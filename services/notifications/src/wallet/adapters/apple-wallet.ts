import { signDownload } from '../auth/pass-secrets.ts';
import { type AppleSigning, signPass } from './apple-pass.ts';
import { type ApplePushSettings, openApplePush } from './apple-push.ts';
import { signOnce } from './cache-signed-passes.ts';
import type { AppleWallet } from './wallets.ts';

export interface AppleWalletSettings extends Omit<AppleSigning, 'webServiceUrl'>, Pick<ApplePushSettings, 'address' | 'authority'> {
  /** Where customers reach the gateway. */
  readonly baseUrl: string;
}

/** Apple Wallet: bundles signed with the pass type’s certificate, and devices told by APNs to fetch the newest. */
export function openAppleWallet(settings: AppleWalletSettings): AppleWallet {
  const root = `${settings.baseUrl}/api/v1/notifications/wallet/apple`;
  const signing: AppleSigning = { ...settings, webServiceUrl: root };
  const push = openApplePush({ ...settings, topic: settings.passTypeId });
  return {
    passTypeId: settings.passTypeId,
    sign: signOnce((pass) => signPass(pass, signing)),
    downloadLink({ serial, authToken }, expires) {
      const seconds = Math.floor(expires.getTime() / 1000);
      return `${root}/download/${serial}?expires=${seconds}&signature=${signDownload(authToken, serial, seconds)}`;
    },
    async publish(_pass, devices) {
      const outcomes = await Promise.all(devices.map(push.toDevice));
      return {
        gone: devices.filter((_, index) => outcomes[index] === 'gone'),
        fault: outcomes.find((outcome) => outcome instanceof Error) ?? null,
      };
    },
    close: push.close,
  };
}
