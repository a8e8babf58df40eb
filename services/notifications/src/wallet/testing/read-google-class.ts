import { openGoogleAccess } from '../../adapters/google-access.ts';
import { readNotificationsConfig } from '../../config.ts';
import type { WalletTestbed } from './testbed.ts';

/** Reads a store's class from the simulated Wallet API, as its service account may. */
export async function readGoogleClass({ running, sandbox, clock }: WalletTestbed, storeId: string): Promise<unknown> {
  const { WALLET_GOOGLE_SERVICE_ACCOUNT_FILE: account } = readNotificationsConfig(running.environment);
  if (!account) throw new Error('Google Wallet is not set up');
  const token = await openGoogleAccess(account, 'https://www.googleapis.com/auth/wallet_object.issuer', clock.now).token();
  const response = await fetch(`${sandbox.url}/walletobjects/v1/loyaltyClass/3388000000012345678.store-${storeId}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return await response.json();
}
