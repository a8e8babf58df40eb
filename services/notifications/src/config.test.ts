import { describe, expect, test } from '@jest/globals';
import { channelSettings, readNotificationsConfig } from './config.ts';

const needed = {
  DATABASE_URL: 'postgres://corner@localhost/corner',
  NATS_URL: 'nats://localhost:4222',
  AUTH_ISSUER: 'https://issuer.example.com',
  AUTH_JWKS_URL: 'https://issuer.example.com/jwks',
};

describe('channels', () => {
  test('are none where nothing is set', () => {
    expect(channelSettings(readNotificationsConfig(needed))).toEqual({ email: null, fcm: null, apns: null });
  });

  test.each([
    [{ SMTP_URL: 'smtp://localhost' }, ['MAIL_FROM']],
    [{ MAIL_FROM: 'no-reply@example.com' }, ['SMTP_URL']],
    [{ FCM_API_BASE: 'http://localhost' }, ['FCM_SERVICE_ACCOUNT_FILE']],
    [{ APNS_TOPIC: 'com.example', APNS_KEY_ID: 'K' }, ['APNS_KEY_FILE', 'APNS_TEAM_ID']],
    [{ APNS_ADDRESS: 'localhost:1' }, ['APNS_KEY_FILE', 'APNS_KEY_ID', 'APNS_TEAM_ID', 'APNS_TOPIC']],
    [{ FCM_SERVICE_ACCOUNT_FILE: import.meta.filename }, ['FCM_SERVICE_ACCOUNT_FILE']],
    [{ SMTP_URL: 'http://localhost', MAIL_FROM: 'a@example.com' }, ['SMTP_URL']],
  ])('are all of a channel or none: %j', (given, missing) => {
    let message = '';
    try {
      readNotificationsConfig({ ...needed, ...given });
    } catch (error) {
      message = (error as Error).message;
    }
    const named = message
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(':')[0]);
    expect(named.sort()).toEqual([...missing].sort());
  });
});
