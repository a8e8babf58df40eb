import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export interface MessagePlaces {
  readonly folder: string;
  readonly name: string;
  readonly ports: MessagePorts;
}

export interface MessagePorts {
  readonly http: number;
  readonly smtp: number;
  readonly apns: number;
}

export const messageFilesIn = (folder: string) => ({
  serviceAccount: `${folder}/fcm-service-account.json`,
  provider: `${folder}/apns-provider.p8`,
  authority: `${folder}/authority.pem`,
});

export const passFilesIn = (folder: string) => ({
  certificate: `${folder}/pass-certificate.pem`,
  key: `${folder}/pass-key.pem`,
  intermediate: `${folder}/pass-intermediate.pem`,
});

export const passTypeId = 'pass.com.example.corner';

/** The identities that the simulated providers accept. They are valid nowhere else. */
export const messageIdentity = {
  projectId: 'corner-sandbox',
  serviceAccount: 'messages@corner-sandbox.iam.gserviceaccount.com',
  serviceAccountKeyId: '0123456789abcdef0123456789abcdef01234567',
  apnsKeyId: 'CORNERKEY1',
  teamId: 'CORNERTEAM',
  topic: 'com.example.corner',
  walletIssuerId: '3388000000012345678',
  sender: 'Corner <no-reply@corner.example.com>',
  twilioAccountSid: 'AC00000000000000000000000000000000',
  twilioAuthToken: 'corner-sandbox-twilio',
  twilioFrom: '+447700900000',
  vapidPublicKey: 'BPYDitqv1WSH_uZZOmCyWRaE3dg5HcnaTwp65vFFRxV3ZcdtbdSMQG7h2Awz657f4V1Qlw_ftt8YsWis4WrkTFo',
  vapidPrivateKey: 'Y29ybmVyLWRldmVsb3BtZW50LWtleS1vZi13ZWJwdXM',
} as const;

export function messagesEnvironment({ folder, name, ports }: MessagePlaces): Record<string, string> {
  const files = messageFilesIn(folder);
  return {
    SMTP_URL: `smtp://${name}:${ports.smtp}`,
    MAIL_FROM: messageIdentity.sender,
    PUBLIC_BASE_URL: 'http://gateway.corner.example.com',
    CONSOLE_URL: 'http://console.corner.example.com',
    UNSUBSCRIBE_SECRETS: 'a-development-secret-of-unsubscribe-links',
    FCM_SERVICE_ACCOUNT_FILE: files.serviceAccount,
    FCM_API_BASE: `http://${name}:${ports.http}`,
    APNS_KEY_FILE: files.provider,
    APNS_KEY_ID: messageIdentity.apnsKeyId,
    APNS_TEAM_ID: messageIdentity.teamId,
    APNS_TOPIC: messageIdentity.topic,
    APNS_ADDRESS: `${name}:${ports.apns}`,
    APNS_CA_FILE: files.authority,
    WEB_PUSH_PUBLIC_KEY: messageIdentity.vapidPublicKey,
    WEB_PUSH_PRIVATE_KEY: messageIdentity.vapidPrivateKey,
    WEB_PUSH_SUBJECT: 'mailto:no-reply@corner.example.com',
    WEB_PUSH_SERVICES: `http://${name}:${ports.http}`,
    WEBHOOK_HOSTS: '127.0.0.1,localhost',
    TWILIO_ACCOUNT_SID: messageIdentity.twilioAccountSid,
    TWILIO_AUTH_TOKEN: messageIdentity.twilioAuthToken,
    TWILIO_FROM: messageIdentity.twilioFrom,
    TWILIO_API_BASE: `http://${name}:${ports.http}`,
  };
}

export function walletEnvironment({ folder, name, ports }: MessagePlaces, baseUrl: string): Record<string, string> {
  const files = passFilesIn(folder);
  return {
    PUBLIC_BASE_URL: baseUrl,
    WALLET_APPLE_PASS_TYPE_ID: passTypeId,
    WALLET_APPLE_TEAM_ID: messageIdentity.teamId,
    WALLET_APPLE_CERT_FILE: files.certificate,
    WALLET_APPLE_KEY_FILE: files.key,
    WALLET_APPLE_WWDR_FILE: files.intermediate,
    WALLET_GOOGLE_SERVICE_ACCOUNT_FILE: messageFilesIn(folder).serviceAccount,
    WALLET_GOOGLE_ISSUER_ID: messageIdentity.walletIssuerId,
    WALLET_GOOGLE_API_BASE: `http://${name}:${ports.http}`,
  };
}

/**
 * Rewrites the files of an earlier start for the current addresses; an unchanged file stays, since a client may be reading it. Returns
 * false when a file is missing.
 */
export function renewFiles(places: MessagePlaces): boolean {
  const { serviceAccount, ...others } = { ...messageFilesIn(places.folder), ...passFilesIn(places.folder) };
  if (![serviceAccount, ...Object.values(others)].every((file) => existsSync(file))) return false;
  const written = readFileSync(serviceAccount, 'utf8');
  const renewed = written.replace(/"token_uri": "[^"]*"/, `"token_uri": "${tokenUriOf(places)}"`);
  if (renewed !== written) writeFileSync(serviceAccount, renewed, { mode: 0o600 });
  return true;
}

export const tokenUriOf = ({ name, ports }: MessagePlaces): string => `http://${name}:${ports.http}/token`;
