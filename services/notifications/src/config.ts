import { readConfig, serviceSettings } from '@corner/chassis';
import { z } from 'zod';
import { file, serviceAccount } from './adapters/file-setting.ts';
import type { ChannelSettings } from './messages/adapters/open-channels.ts';
import { refuseHalfWallets, walletSettings } from './wallet/adapters/wallet-settings.ts';

const text = z.string().min(1);

/** What each channel needs: all of it or none. */
const needs = {
  email: ['SMTP_URL', 'MAIL_FROM'],
  fcm: ['FCM_SERVICE_ACCOUNT_FILE'],
  apns: ['APNS_KEY_FILE', 'APNS_KEY_ID', 'APNS_TEAM_ID', 'APNS_TOPIC'],
} as const;

const settings = z
  .object({
    ...serviceSettings,
    SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// address' }).optional(),
    /** The sender, as `name <address>` or an address. */
    MAIL_FROM: text.optional(),
    FCM_SERVICE_ACCOUNT_FILE: serviceAccount.optional(),
    FCM_API_BASE: z.url().optional(),
    APNS_KEY_FILE: file.optional(),
    APNS_KEY_ID: text.optional(),
    APNS_TEAM_ID: text.optional(),
    APNS_TOPIC: text.optional(),
    APNS_ADDRESS: text.optional(),
    /** Certificates to trust instead of the well-known ones. */
    APNS_CA_FILE: file.optional(),
    ...walletSettings,
  })
  .superRefine((given, context) => {
    const also = { email: [], fcm: ['FCM_API_BASE'], apns: ['APNS_ADDRESS', 'APNS_CA_FILE'] } as const;
    for (const channel of ['email', 'fcm', 'apns'] as const) {
      const named = [...needs[channel], ...also[channel]].filter((name) => given[name] !== undefined);
      for (const name of named.length > 0 ? needs[channel] : [])
        if (given[name] === undefined)
          context.addIssue({ code: 'custom', path: [name], message: `is required beside ${named.join(', ')}` });
    }
  })
  .superRefine(refuseHalfWallets);
export type NotificationsConfig = z.output<typeof settings>;

/** Reads the environment of this service. Throws one fault that names every setting that is missing or wrong. */
export const readNotificationsConfig = (env: Readonly<Record<string, string | undefined>>): NotificationsConfig =>
  readConfig(settings, env);

/** What each channel is reached by, as configured. */
export function channelSettings(config: NotificationsConfig): ChannelSettings {
  const { SMTP_URL, MAIL_FROM, FCM_SERVICE_ACCOUNT_FILE, APNS_KEY_FILE, APNS_KEY_ID, APNS_TEAM_ID, APNS_TOPIC } = config;
  return {
    email: SMTP_URL && MAIL_FROM ? { url: SMTP_URL, from: MAIL_FROM } : null,
    fcm: FCM_SERVICE_ACCOUNT_FILE
      ? { account: FCM_SERVICE_ACCOUNT_FILE, apiBase: config.FCM_API_BASE ?? 'https://fcm.googleapis.com' }
      : null,
    apns:
      APNS_KEY_FILE && APNS_KEY_ID && APNS_TEAM_ID && APNS_TOPIC
        ? {
            key: APNS_KEY_FILE,
            keyId: APNS_KEY_ID,
            teamId: APNS_TEAM_ID,
            topic: APNS_TOPIC,
            ...applePush(config),
          }
        : null,
  };
}

/** Where Apple’s pushes go, those of passes too. */
export const applePush = ({ APNS_ADDRESS, APNS_CA_FILE }: NotificationsConfig) => ({
  address: APNS_ADDRESS ?? 'api.push.apple.com',
  authority: APNS_CA_FILE ?? null,
});
