import { expect, test } from '@jest/globals';
import { readOrdersConfig } from './config.ts';

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://orders:own@db.example/corner',
  NATS_URL: 'nats://nats.example',
  AUTH_ISSUER: 'https://issuer.example',
  AUTH_JWKS_URL: 'https://issuer.example/keys',
  STRIPE_SECRET_KEY: 'sk_live_own',
  STRIPE_WEBHOOK_SECRETS: 'whsec_own',
};

test('production demands a secret of its own for the hashes of devices', () => {
  expect(() => readOrdersConfig(production)).toThrow(/DEVICE_HASH_SECRET: .*refused in production; set 32 random characters or more/);
  const DEVICE_HASH_SECRET = 'k'.repeat(32);
  expect(readOrdersConfig({ ...production, DEVICE_HASH_SECRET }).DEVICE_HASH_SECRET).toBe(DEVICE_HASH_SECRET);
});
