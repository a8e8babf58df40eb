import { createECDH } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { httpAddress, linkedAddress, notInProduction, readConfig, secret, serviceSettings } from '@corner/chassis/config';
import { z } from 'zod';

const ServiceAccount = z.object({
  project_id: z.string(),
  private_key_id: z.string(),
  private_key: z.string(),
  client_email: z.string(),
  token_uri: z.url(),
});
export type ServiceAccount = z.output<typeof ServiceAccount>;

const text = z.string().min(1);

const file = text.transform((path, context) => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    context.addIssue({ code: 'custom', message: `cannot be read (${(error as { code?: string }).code})` });
    return z.NEVER;
  }
});

/** The simulators' account is refused in production. */
const serviceAccount = () =>
  notInProduction(
    file.transform((content, context) => {
      try {
        return ServiceAccount.parse(JSON.parse(content));
      } catch {
        context.addIssue({ code: 'custom', message: 'is not the file of a service account' });
        return z.NEVER;
      }
    }),
    ({ project_id }) => project_id === 'corner-sandbox',
    'set the key file of your own service account',
  );

const ownTeam = (setting: z.ZodString) => notInProduction(setting, (id) => id === 'CORNERTEAM', 'set the id of your own Apple team');

const channelSettings = {
  SMTP_URL: secret(
    notInProduction(
      z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// address', abort: true }),
      (url) => new URL(url).hostname === 'messages',
      'set the address of your mail server',
    ),
  ).optional(),
  /** The sender, as `name <address>` or an address. A mail about a store has the store's name instead. */
  MAIL_FROM: text.optional(),
  /** Sign the links that stop messages, comma separated: the first signs, and links that any of them signed are valid. */
  UNSUBSCRIBE_SECRETS: secret(
    notInProduction(
      z
        .string()
        .transform((list) => list.split(',').map((secret) => secret.trim()))
        .pipe(z.array(z.string().min(32, 'each must be at least 32 characters'))),
      (secrets) => secrets.includes('a-development-secret-of-unsubscribe-links'),
      'set 32 random characters or more',
    ),
  ).optional(),
  /** The console's address for a store's people: their mail links to it, and invitations need it. */
  CONSOLE_URL: linkedAddress('set the https:// address of the console'),
  /** Sign mail with DKIM, where the mail server does not: the domain, the selector of its DNS record, and the RSA key as PEM. */
  MAIL_DKIM_DOMAIN: text.optional(),
  MAIL_DKIM_SELECTOR: text.optional(),
  MAIL_DKIM_KEY_FILE: file.optional(),
  FCM_SERVICE_ACCOUNT_FILE: serviceAccount().optional(),
  FCM_API_BASE: notInProduction(z.url(), () => true, 'leave it empty, so that Google is called').optional(),
  APNS_KEY_FILE: file.optional(),
  APNS_KEY_ID: notInProduction(z.string().min(1), (id) => id === 'CORNERKEY1', 'set the id of your own key').optional(),
  APNS_TEAM_ID: ownTeam(z.string().min(1)).optional(),
  APNS_TOPIC: text.optional(),
  APNS_ADDRESS: notInProduction(
    z.string().min(1),
    (address) => !/\.push\.apple\.com(:\d+)?$/.test(address),
    'leave it empty, so that Apple is called',
  ).optional(),
  APNS_CA_FILE: file.optional(),
  /**
   * The VAPID keys of Web Push in base64url, as `npx web-push generate-vapid-keys` prints them; the subject is the contact for push
   * services.
   */
  WEB_PUSH_PUBLIC_KEY: z
    .string()
    .regex(/^B[\w-]{86}$/, 'must be 65 bytes in base64url')
    .optional(),
  WEB_PUSH_PRIVATE_KEY: secret(
    notInProduction(
      z.string().regex(/^[\w-]{43}$/, 'must be 32 bytes in base64url'),
      (key) => key === 'Y29ybmVyLWRldmVsb3BtZW50LWtleS1vZi13ZWJwdXM',
      'set keys of your own',
    ),
  ).optional(),
  WEB_PUSH_SUBJECT: z
    .string()
    .regex(/^(mailto:[^@\s]+@\S+|https:\/\/\S+)$/, 'must be a mailto: or https:// address')
    .optional(),
  /** Push services besides those of Chrome, Edge, Firefox and Safari, comma separated: hosts such as push.example.com, or origins. */
  WEB_PUSH_SERVICES: notInProduction(
    z
      .string()
      .transform((list) => list.split(',').map((service) => service.trim()))
      .pipe(z.array(z.string().regex(/^(https?:\/\/)?(\*\.)?[a-z0-9.-]+(:\d+)?$/, 'must be hosts or origins'))),
    (services) => services.some((service) => service.startsWith('http:')),
    'leave out services without https',
  ).optional(),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/, 'must be an account SID such as AC0123…')
    .optional(),
  TWILIO_AUTH_TOKEN: secret(
    notInProduction(z.string().min(1), (token) => token === 'corner-sandbox-twilio', 'set the token of your own account'),
  ).optional(),
  TWILIO_FROM: z
    .string()
    .regex(/^(\+[1-9]\d{6,14}|MG[0-9a-f]{32})$/, 'must be a number such as +447700900000, or the id of a messaging service')
    .optional(),
  TWILIO_API_BASE: notInProduction(
    httpAddress(),
    (url) => !/(^|\.)twilio\.com$/.test(new URL(url).hostname),
    'leave it empty, so that Twilio is called',
  ).default('https://api.twilio.com'),
};

const digestSettings = {
  STAMP_DIGEST_MINUTES: z.coerce.number().int().min(1).default(240),
};

const webhookSettings = {
  /** The secrets of webhooks are derived from it, so it is the same on every replica. After a change each receiver refuses the requests. */
  WEBHOOK_SECRET: secret(
    notInProduction(
      z.string().min(32, 'must be at least 32 characters'),
      (secret) => secret === 'a-development-secret-of-webhooks',
      'set 32 random characters or more',
    ),
  ).default('a-development-secret-of-webhooks'),
  /**
   * Receivers of webhooks besides those with a public address and https, comma separated: hosts such as receiver.corp.example, with a port
   * or without. A caller who may create webhooks can send requests there, over http too, and reads the beginning of each response.
   */
  WEBHOOK_HOSTS: notInProduction(
    z
      .string()
      .transform((list) => list.split(',').flatMap((host) => host.trim() || []))
      .pipe(z.array(z.string().regex(/^([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d+)?$/, 'must be hosts in lower case, with a port or without'))),
    (hosts) => hosts.some((host) => /^(localhost|127\.|\[::1\])/.test(host)),
    'leave out the machine itself',
  ).default([]),
};

const walletSettings = {
  PUBLIC_BASE_URL: linkedAddress('set an https:// address that phones reach'),
  WALLET_APPLE_PASS_TYPE_ID: z.string().startsWith('pass.', 'must be a pass type identifier such as pass.com.example.card').optional(),
  WALLET_APPLE_TEAM_ID: ownTeam(z.string().min(1)).optional(),
  /** PEM files: the certificate of the pass type, its RSA key, and Apple's intermediate certificate that issued it. */
  WALLET_APPLE_CERT_FILE: file.optional(),
  WALLET_APPLE_KEY_FILE: file.optional(),
  WALLET_APPLE_WWDR_FILE: file.optional(),
  WALLET_APPLE_KEY_PASSPHRASE: secret(z.string()).optional(),
  WALLET_GOOGLE_SERVICE_ACCOUNT_FILE: serviceAccount().optional(),
  WALLET_GOOGLE_ISSUER_ID: notInProduction(
    z.string().regex(/^\d+$/, 'must be the digits of an issuer id'),
    (id) => id === '3388000000012345678',
    'set your own issuer id',
  ).optional(),
  WALLET_GOOGLE_API_BASE: notInProduction(
    httpAddress(),
    (url) => !new URL(url).hostname.endsWith('.googleapis.com'),
    'leave it empty, so that Google is called',
  ).default('https://walletobjects.googleapis.com'),
};

interface Party {
  readonly required: readonly Setting[];
  readonly optional: readonly Setting[];
}
type Setting = keyof typeof channelSettings | keyof typeof walletSettings;

const parties: readonly Party[] = [
  { required: ['SMTP_URL', 'MAIL_FROM', 'UNSUBSCRIBE_SECRETS', 'PUBLIC_BASE_URL'], optional: [] },
  { required: ['MAIL_DKIM_DOMAIN', 'MAIL_DKIM_SELECTOR', 'MAIL_DKIM_KEY_FILE'], optional: [] },
  { required: ['FCM_SERVICE_ACCOUNT_FILE'], optional: ['FCM_API_BASE'] },
  { required: ['APNS_KEY_FILE', 'APNS_KEY_ID', 'APNS_TEAM_ID', 'APNS_TOPIC'], optional: ['APNS_ADDRESS', 'APNS_CA_FILE'] },
  { required: ['WEB_PUSH_PUBLIC_KEY', 'WEB_PUSH_PRIVATE_KEY', 'WEB_PUSH_SUBJECT'], optional: ['WEB_PUSH_SERVICES'] },
  { required: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'], optional: [] },
  {
    required: [
      'PUBLIC_BASE_URL',
      'WALLET_APPLE_PASS_TYPE_ID',
      'WALLET_APPLE_TEAM_ID',
      'WALLET_APPLE_CERT_FILE',
      'WALLET_APPLE_KEY_FILE',
      'WALLET_APPLE_WWDR_FILE',
    ],
    optional: [],
  },
  { required: ['PUBLIC_BASE_URL', 'WALLET_GOOGLE_SERVICE_ACCOUNT_FILE', 'WALLET_GOOGLE_ISSUER_ID'], optional: [] },
];

const settings = z
  .object({ ...serviceSettings, ...channelSettings, ...digestSettings, ...webhookSettings, ...walletSettings })
  .superRefine((given, context) => {
    for (const { required, optional } of parties) {
      // Mail and both wallets need the base address, so it alone selects none of them.
      const present = [...required, ...optional].filter((name) => name !== 'PUBLIC_BASE_URL' && given[name] !== undefined);
      const missing = present.length === 0 ? [] : required.filter((name) => given[name] === undefined);
      for (const name of missing) context.addIssue({ code: 'custom', path: [name], message: `is required beside ${present.join(', ')}` });
    }
    const { WEB_PUSH_PUBLIC_KEY: publicKey, WEB_PUSH_PRIVATE_KEY: privateKey } = given;
    if (publicKey && privateKey && publicKeyOf(privateKey) !== publicKey)
      context.addIssue({ code: 'custom', path: ['WEB_PUSH_PUBLIC_KEY'], message: 'is not the public key of WEB_PUSH_PRIVATE_KEY' });
  });

function publicKeyOf(privateKey: string): string | null {
  try {
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(privateKey, 'base64url');
    return pair.getPublicKey('base64url');
  } catch {
    return null;
  }
}

export type NotificationsConfig = z.output<typeof settings>;

export const readNotificationsConfig = (env: Readonly<Record<string, string | undefined>> = process.env): NotificationsConfig =>
  readConfig(settings, env);

/** For messages and passes. A null authority means the system's certificates. */
export const apnsServer = ({ APNS_ADDRESS, APNS_CA_FILE }: NotificationsConfig): { address: string; authority: string | null } => ({
  address: APNS_ADDRESS ?? 'api.push.apple.com',
  authority: APNS_CA_FILE ?? null,
});

export function webPushSettings(config: NotificationsConfig) {
  const { WEB_PUSH_PUBLIC_KEY: publicKey, WEB_PUSH_PRIVATE_KEY: privateKey } = config;
  const { WEB_PUSH_SUBJECT: subject, WEB_PUSH_SERVICES: services } = config;
  return publicKey && privateKey && subject ? { publicKey, privateKey, subject, services: services ?? [] } : null;
}
