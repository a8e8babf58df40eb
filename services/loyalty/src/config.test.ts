import { expect, test } from '@jest/globals';
import { readLoyaltyConfig } from './config.ts';

const required = {
  DATABASE_URL: 'postgres://loyalty@localhost/corner',
  NATS_URL: 'nats://localhost',
  AUTH_ISSUER: 'https://issuer.test',
  AUTH_JWKS_URL: 'https://issuer.test/keys',
};

test('NFC keys are read by version, and are optional', () => {
  expect(readLoyaltyConfig(required).NFC_KEYS).toEqual({});
  const NFC_KEYS = JSON.stringify({ 7: { meta: '0f'.repeat(16), master: 'F0'.repeat(16) } });
  expect(readLoyaltyConfig({ ...required, NFC_KEYS, NFC_SYSTEM_ID: '010203040506' })).toMatchObject({
    NFC_KEYS: { 7: { meta: new Uint8Array(16).fill(0x0f), master: new Uint8Array(16).fill(0xf0) } },
    NFC_SYSTEM_ID: Uint8Array.of(1, 2, 3, 4, 5, 6),
  });
});

test('production demands a secret of its own for stamp codes', () => {
  const production = { ...required, NODE_ENV: 'production' };
  expect(() => readLoyaltyConfig(production)).toThrow(/STAMP_CODE_SECRET: .*refused in production; set 32 random characters or more/);
  const STAMP_CODE_SECRET = 'k'.repeat(32);
  expect(readLoyaltyConfig({ ...production, STAMP_CODE_SECRET }).STAMP_CODE_SECRET).toBe(STAMP_CODE_SECRET);
});

test('an invalid setting is named and never quoted', () => {
  const secret = '5ec2e7'.repeat(3);
  const wrong = (env: Record<string, string>) => () => readLoyaltyConfig({ ...required, ...env });
  expect(wrong({ NFC_KEYS: JSON.stringify({ 1: { meta: secret, master: '00'.repeat(16) } }) })).toThrow(
    /NFC_KEYS\.1\.meta: must be 16 bytes/,
  );
  expect(wrong({ NFC_KEYS: secret })).toThrow(/NFC_KEYS: must be JSON/);
  expect(wrong({ NFC_SYSTEM_ID: '00', STAMP_CODE_SECRET: secret })).toThrow(/NFC_SYSTEM_ID: must be 6 to 21 bytes[\s\S]*STAMP_CODE_SECRET/);
  for (const NFC_KEYS of [secret, JSON.stringify({ 1: { meta: secret } })]) expect(wrong({ NFC_KEYS })).not.toThrow(secret);
});
