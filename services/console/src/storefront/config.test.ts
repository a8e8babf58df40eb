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

test('a provider of accounts and the client there are named together, in production with TLS', () => {
  const accounts = { SHOP_ISSUER: 'http://id.example', SHOP_CLIENT_ID: 'shop' };
  expect(readStorefrontConfig({ ...settings, ...accounts })).toMatchObject({ ...accounts, SHOP_SCOPE: 'openid profile email' });
  expect(() => readStorefrontConfig({ ...settings, SHOP_CLIENT_ID: 'shop' })).toThrow(/SHOP_CLIENT_ID: is for SHOP_ISSUER/);
  expect(() => readStorefrontConfig({ ...settings, ...accounts, NODE_ENV: 'production' })).toThrow(/SHOP_ISSUER: .* name an https address/);
  expect(() => readStorefrontConfig({ ...settings, ...accounts, SHOP_SCOPE: 'email' })).toThrow(/SHOP_SCOPE: must include openid/);
});
