import { describe, expect, test } from '@jest/globals';
import { readNotificationsConfig } from './config.ts';

const required = {
  DATABASE_URL: 'postgres://corner@localhost/corner',
  NATS_URL: 'nats://localhost:4222',
  AUTH_ISSUER: 'https://issuer.example.com',
  AUTH_JWKS_URL: 'https://issuer.example.com/jwks',
};

const mail = {
  SMTP_URL: 'smtp://localhost',
  MAIL_FROM: 'a@example.com',
  PUBLIC_BASE_URL: 'https://shop.example',
  UNSUBSCRIBE_SECRETS: 's'.repeat(32),
};

const webPush = {
  WEB_PUSH_PUBLIC_KEY: 'BPYDitqv1WSH_uZZOmCyWRaE3dg5HcnaTwp65vFFRxV3ZcdtbdSMQG7h2Awz657f4V1Qlw_ftt8YsWis4WrkTFo',
  WEB_PUSH_PRIVATE_KEY: 'Y29ybmVyLWRldmVsb3BtZW50LWtleS1vZi13ZWJwdXM',
  WEB_PUSH_SUBJECT: 'mailto:push@example.com',
};

function rejectedSettings(given: Record<string, string>): string[] {
  try {
    readNotificationsConfig({ ...required, ...given });
    return [];
  } catch (error) {
    const [, ...lines] = (error as Error).message.split('\n');
    return lines.map((line) => line.trim().split(':')[0] ?? '').sort();
  }
}

describe('readNotificationsConfig', () => {
  test('needs no channel and no wallet', () => {
    expect(rejectedSettings({})).toEqual([]);
    expect(rejectedSettings(webPush)).toEqual([]);
    expect(rejectedSettings({ PUBLIC_BASE_URL: 'https://shop.example/' })).toEqual([]);
  });

  test.each([
    [{ SMTP_URL: 'smtp://localhost' }, ['MAIL_FROM', 'PUBLIC_BASE_URL', 'UNSUBSCRIBE_SECRETS']],
    [{ MAIL_FROM: 'no-reply@example.com', PUBLIC_BASE_URL: 'https://shop.example' }, ['SMTP_URL', 'UNSUBSCRIBE_SECRETS']],
    [{ MAIL_DKIM_DOMAIN: 'example.com' }, ['MAIL_DKIM_KEY_FILE', 'MAIL_DKIM_SELECTOR']],
    [{ FCM_API_BASE: 'http://localhost' }, ['FCM_SERVICE_ACCOUNT_FILE']],
    [{ APNS_TOPIC: 'com.example', APNS_KEY_ID: 'K' }, ['APNS_KEY_FILE', 'APNS_TEAM_ID']],
    [{ APNS_ADDRESS: 'localhost:1' }, ['APNS_KEY_FILE', 'APNS_KEY_ID', 'APNS_TEAM_ID', 'APNS_TOPIC']],
    [{ WEB_PUSH_SERVICES: 'push.example.com' }, ['WEB_PUSH_PRIVATE_KEY', 'WEB_PUSH_PUBLIC_KEY', 'WEB_PUSH_SUBJECT']],
    [{ WALLET_GOOGLE_ISSUER_ID: '1' }, ['PUBLIC_BASE_URL', 'WALLET_GOOGLE_SERVICE_ACCOUNT_FILE']],
  ])('%j needs the other settings of its channel or wallet', (given, missing) => {
    expect(rejectedSettings(given as unknown as Record<string, string>)).toEqual(missing);
  });

  test.each([
    [{ FCM_SERVICE_ACCOUNT_FILE: import.meta.filename }, ['FCM_SERVICE_ACCOUNT_FILE']],
    [{ ...mail, SMTP_URL: 'http://localhost' }, ['SMTP_URL']],
    [{ ...webPush, WEB_PUSH_PUBLIC_KEY: `B${'A'.repeat(86)}` }, ['WEB_PUSH_PUBLIC_KEY']],
    [{ ...webPush, WEB_PUSH_SUBJECT: 'me' }, ['WEB_PUSH_SUBJECT']],
    [{ ...webPush, WEB_PUSH_SERVICES: 'https://push.example.com/path' }, ['WEB_PUSH_SERVICES.0']],
    [{ ...mail, UNSUBSCRIBE_SECRETS: `${'s'.repeat(32)}, short` }, ['UNSUBSCRIBE_SECRETS.1']],
    [{ WEBHOOK_SECRET: 'short' }, ['WEBHOOK_SECRET']],
    [{ WEBHOOK_HOSTS: 'receiver.corp.example:8090, https://receiver.corp.example' }, ['WEBHOOK_HOSTS.1']],
  ])('rejects the wrong value in %j', (given, wrong) => {
    expect(rejectedSettings(given as unknown as Record<string, string>)).toEqual(wrong);
  });
});

test('production demands a secret of its own for webhooks', () => {
  const production = { NODE_ENV: 'production' };
  expect(rejectedSettings(production)).toEqual(['WEBHOOK_SECRET']);
  expect(rejectedSettings({ ...production, WEBHOOK_SECRET: 'k'.repeat(32) })).toEqual([]);
  expect(rejectedSettings({ ...production, WEBHOOK_SECRET: 'k'.repeat(32), WEBHOOK_HOSTS: '127.0.0.1' })).toEqual(['WEBHOOK_HOSTS']);
});
