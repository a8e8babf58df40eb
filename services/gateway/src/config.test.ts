import { expect, test } from '@jest/globals';
import { canaryOf, readGatewayConfig } from './config.ts';

const urls = {
  AUTH_ISSUER: 'https://issuer.example',
  AUTH_JWKS_URL: 'https://issuer.example/jwks',
  ORDERS_URL: 'http://orders:8080',
  LOYALTY_URL: 'http://loyalty:8080/',
  QUEUE_URL: 'https://queue',
  NOTIFICATIONS_URL: 'http://n:1',
};

test('the addresses of the required services and the issuer of the tokens are the only required settings', () => {
  expect(readGatewayConfig(urls)).toMatchObject({
    AUTH_AUDIENCE: 'api',
    LOYALTY_URL: ['http://loyalty:8080'],
    UPSTREAM_TIMEOUT_MS: 15_000,
    MAX_BODY_BYTES: 65_536,
    WEBHOOK_MAX_BODY_BYTES: 262_144,
    RATE_LIMITS: 'enforced',
    TRUSTED_PROXIES: [],
  });
});

test('every wrong setting is named in one error', () => {
  const wrong = {
    ...urls,
    ORDERS_URL: undefined,
    LOYALTY_URL: 'nonsense',
    QUEUE_URL: 'http://queue/path',
    TRUSTED_PROXIES: '10.0.0.0/33',
    UPSTREAM_TIMEOUT_MS: 'soon',
  };
  expect(() => readGatewayConfig(wrong)).toThrow(
    /5 faults[\s\S]*ORDERS_URL: is required[\s\S]*LOYALTY_URL: must be[\s\S]*QUEUE_URL[\s\S]*UPSTREAM_TIMEOUT_MS[\s\S]*TRUSTED_PROXIES/,
  );
});

test('TRUSTED_PROXIES is a comma-separated list of addresses and ranges', () => {
  expect(readGatewayConfig({ ...urls, TRUSTED_PROXIES: '10.0.0.0/8, ::1,' }).TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '::1']);
});

test('a new version on trial is a service and its addresses, for stores and a percentage of them', () => {
  const store = '11111111-1111-4111-8111-11111111111A';
  const read = (env: Readonly<Record<string, string>>) => canaryOf(readGatewayConfig({ ...urls, ...env }));
  const CANARY = 'orders=http://a:1, http://b:2';
  expect(read({ CANARY, CANARY_PERCENT: '5', CANARY_STORES: store })).toEqual({
    service: 'orders',
    urls: ['http://a:1', 'http://b:2'],
    percent: 5,
    stores: new Set([store.toLowerCase()]),
  });
  expect(read({ CANARY_PERCENT: '5' })).toBeUndefined();
  expect(() => read({ CANARY: 'shop=http://a:1' })).toThrow(/CANARY: must name one of orders, .* before "="/);
  expect(() => read({ CANARY: 'orders' })).toThrow(/CANARY: must be an http/);
  expect(() => read({ CANARY, CANARY_PERCENT: '101' })).toThrow(/CANARY_PERCENT/);
  expect(() => read({ CANARY, CANARY_STORES: 'S1' })).toThrow(/CANARY_STORES.*must be ids of stores/);
});

test('the address of a service is one, or a list of its replicas', () => {
  const { ORDERS_URL } = readGatewayConfig({ ...urls, ORDERS_URL: 'http://10.0.0.1:8080, http://10.0.0.2:8080/' });
  expect(ORDERS_URL).toEqual(['http://10.0.0.1:8080', 'http://10.0.0.2:8080']);
  const refuses = (value: string, words: RegExp) => expect(() => readGatewayConfig({ ...urls, ORDERS_URL: value })).toThrow(words);
  refuses('http://a:1,http://a:1/', /ORDERS_URL.*names an address twice/);
  refuses('http://a:1,', /ORDERS_URL.*must be an http:\/\/ or https:\/\/ address/);
  refuses('http://a:1,b:2', /ORDERS_URL.*must be an http:\/\/ or https:\/\/ address/);
  refuses('http://a:1,http://b:2/path', /ORDERS_URL.*must be an address without a path/);
});
