import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
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

test('keys of closed days are private ones of Ed25519, with public ones of before; any other text is named', () => {
  const keyOf = () => {
    const { kty, crv, x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    return { kty, crv, x, d };
  };
  const read = (keys: unknown) =>
    readOrdersConfig({
      ...production,
      DEVICE_HASH_SECRET: 'k'.repeat(32),
      BOOK_SIGNING_KEYS: typeof keys === 'string' ? keys : JSON.stringify(keys),
    }).BOOK_SIGNING_KEYS;
  const [one, { d: _secret, ...old }] = [keyOf(), keyOf()];
  expect(read(one)).toEqual([one]);
  expect(read([one, old])).toEqual([one, old]);
  expect(() => read('none')).toThrow(/BOOK_SIGNING_KEYS: must be JSON/);
  expect(() => read([old, one])).toThrow(/BOOK_SIGNING_KEYS: must begin with a private key of Ed25519/);
  expect(() => read({ ...one, x: old.x })).toThrow(/BOOK_SIGNING_KEYS: has a key whose x is not the public part of its d/);
  expect(() => read([])).toThrow(/BOOK_SIGNING_KEYS: /);
  const published = readFileSync(new URL('../../../deploy/trial-secrets/book-signing-keys', import.meta.url), 'utf8');
  expect(() => read(published)).toThrow(/BOOK_SIGNING_KEYS: .*refused in production; set a private key of Ed25519 of your own/);
});
