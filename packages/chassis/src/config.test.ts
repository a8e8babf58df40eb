import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { ConfigFault, readConfig, serviceSettings } from './config.ts';

const good = {
  DATABASE_URL: 'postgres://corner_orders:secret@127.0.0.1:5432/corner',
  NATS_URL: 'nats://127.0.0.1:4222',
  AUTH_ISSUER: 'https://issuer.example',
  AUTH_JWKS_URL: 'https://issuer.example/jwks',
};

test('a valid environment is read, with defaults for what is absent', () => {
  expect(readConfig(z.object(serviceSettings), good)).toMatchObject({
    PORT: 0,
    NATS_NAMESPACE: '',
    IDEMPOTENCY_KEY: 'optional',
    AUTH_AUDIENCE: 'api',
  });
});

test('every fault is named in one error, and no value is quoted', () => {
  const read = () =>
    readConfig(z.object(serviceSettings), { ...good, NATS_URL: 'http://user:hunter2@x', AUTH_ISSUER: undefined, PORT: '99999' });
  expect(read).toThrow(ConfigFault);
  expect(read).toThrow(/3 faults[\s\S]*PORT: [\s\S]*NATS_URL: must be a nats:[\s\S]*AUTH_ISSUER: is required/);
  expect(read).not.toThrow(/hunter2|99999/);
});

test('an empty environment variable counts as absent', () => {
  expect(() => readConfig(z.object(serviceSettings), { ...good, AUTH_JWKS_URL: '' })).toThrow(/AUTH_JWKS_URL: is required/);
});
