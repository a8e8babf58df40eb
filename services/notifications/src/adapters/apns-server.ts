import type { NotificationsConfig } from '../config.ts';

/** Where pushes to Apple's devices go, of messages and of passes, and the certificates to trust there; null means the system's. */
export const apnsServer = ({ APNS_ADDRESS, APNS_CA_FILE }: NotificationsConfig): { address: string; authority: string | null } => ({
  address: APNS_ADDRESS ?? 'api.push.apple.com',
  authority: APNS_CA_FILE ?? null,
});
