import { apnsServer, type NotificationsConfig } from '../../config.ts';
import { openAppleWallet, passImages } from './apple-wallet.ts';
import { openGoogleWallet } from './google-wallet.ts';
import type { Wallets } from './wallets.ts';

export function openWallets(config: NotificationsConfig, now: () => Date): Wallets {
  const {
    PUBLIC_BASE_URL: baseUrl,
    WALLET_APPLE_PASS_TYPE_ID: passTypeId,
    WALLET_APPLE_TEAM_ID: teamId,
    WALLET_APPLE_CERT_FILE: certificate,
    WALLET_APPLE_KEY_FILE: key,
    WALLET_APPLE_WWDR_FILE: intermediate,
    WALLET_APPLE_KEY_PASSPHRASE: keyPassphrase = null,
    WALLET_GOOGLE_SERVICE_ACCOUNT_FILE: account,
    WALLET_GOOGLE_ISSUER_ID: issuerId,
    WALLET_GOOGLE_API_BASE: apiBase,
  } = config;
  const apple = baseUrl && passTypeId && teamId && certificate && key && intermediate;
  return {
    apple: apple
      ? openAppleWallet({
          baseUrl,
          passTypeId,
          teamId,
          certificate,
          key,
          keyPassphrase,
          intermediate,
          images: passImages,
          ...apnsServer(config),
        })
      : null,
    google: baseUrl && account && issuerId ? openGoogleWallet({ baseUrl, account, issuerId, apiBase }, now) : null,
  };
}
