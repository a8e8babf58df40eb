import { openAppleWallet } from './apple-wallet.ts';
import { openGoogleWallet } from './google-wallet.ts';
import { images } from './pass-images.ts';
import type { WalletSettings } from './wallet-settings.ts';
import type { Wallets } from './wallets.ts';

/** Opens the wallets that are configured. `push` is where passes’ pushes go: Apple’s address, unless something stands in for it. */
export function openWallets(
  settings: WalletSettings,
  push: { readonly address: string; readonly authority: string | null },
  now: () => Date,
): Wallets {
  const {
    WALLET_BASE_URL: baseUrl,
    WALLET_APPLE_PASS_TYPE_ID: passTypeId,
    WALLET_APPLE_TEAM_ID: teamId,
    WALLET_APPLE_CERT_FILE: certificate,
    WALLET_APPLE_KEY_FILE: key,
    WALLET_APPLE_WWDR_FILE: intermediate,
    WALLET_APPLE_KEY_PASSPHRASE: keyPassphrase = null,
    WALLET_GOOGLE_SERVICE_ACCOUNT_FILE: account,
    WALLET_GOOGLE_ISSUER_ID: issuerId,
    WALLET_GOOGLE_API_BASE: apiBase,
  } = settings;
  return {
    apple:
      baseUrl && passTypeId && teamId && certificate && key && intermediate
        ? openAppleWallet({ baseUrl, passTypeId, teamId, certificate, key, keyPassphrase, intermediate, images, ...push })
        : null,
    google: baseUrl && account && issuerId ? openGoogleWallet({ baseUrl, account, issuerId, apiBase }, now) : null,
  };
}
