import { expect, test } from '@jest/globals';
import { readStorefrontConfig } from './config.ts';

const settings = { SHOP_URL: 'https://shop.example', GATEWAY_URL: 'https://api.example' };

test('two settings are enough', () => {
  expect(readStorefrontConfig(settings)).toMatchObject({ ...settings, TRUSTED_PROXIES: [], GATEWAY_TIMEOUT_MS: 20_000 });
  expect(readStorefrontConfig({ ...settings, SHOP_URL: 'http://localhost:4007' }).SHOP_URL).toBe('http://localhost:4007');
  expect(() => readStorefrontConfig({ ...settings, SHOP_URL: 'http://shop.example' })).toThrow(/SHOP_URL: must be https/);
});

test('production refuses the simulator of payments, and a secret key is no key for browsers', () => {
  const production = { ...settings, NODE_ENV: 'production' };
  const simulated = { ...production, SANDBOX_PAYMENTS_URL: 'http://localhost:4242' };
  expect(() => readStorefrontConfig(simulated)).toThrow(/SANDBOX_PAYMENTS_URL/);
  expect(readStorefrontConfig({ ...simulated, TRIAL: '1' }).SANDBOX_PAYMENTS_URL).toBe('http://localhost:4242');
  const secret = () => readStorefrontConfig({ ...production, STRIPE_PUBLISHABLE_KEY: 'sk_live_123' });
  expect(secret).toThrow(/STRIPE_PUBLISHABLE_KEY: must be a publishable key/);
  expect(secret).not.toThrow('sk_live_123');
  expect(() => readStorefrontConfig({ ...settings, STRIPE_PUBLISHABLE_KEY: 'pk_1', SANDBOX_PAYMENTS_URL: 'http://localhost:1' })).toThrow(
    /unset it or STRIPE_PUBLISHABLE_KEY/,
  );
});
