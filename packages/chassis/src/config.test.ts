import { writeFileSync } from 'node:fs';
import { type TestFolder, testFolder } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { ConfigFault, readConfig, secret, serviceSettings } from './config.ts';
import { notInProduction } from './production-guard.ts';

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
  expect(read).toThrow(/3 faults[\s\S]*PORT: [\s\S]*AUTH_ISSUER: is required[\s\S]*NATS_URL: must be a nats:/);
  expect(read).not.toThrow(/hunter2|99999/);
});

test('an empty environment variable counts as absent', () => {
  expect(() => readConfig(z.object(serviceSettings), { ...good, AUTH_JWKS_URL: '' })).toThrow(/AUTH_JWKS_URL: is required/);
});

describe('in production', () => {
  const settings = z.object({
    ...serviceSettings,
    SMS_TOKEN: notInProduction(z.string(), (token) => token === 'published', 'set your own token').optional(),
  });
  const production = { ...good, NODE_ENV: 'production', AUTH_ISSUER: 'corner-development', SMS_TOKEN: 'published' };

  test('every value for development is refused by name, with what to do about it, and not quoted', () => {
    expect(() => readConfig(settings, production)).toThrow(
      /2 faults[\s\S]*AUTH_ISSUER: .*identity provider.*TRIAL=1[\s\S]*SMS_TOKEN: .*set your own token, or set TRIAL=1/,
    );
    expect(() => readConfig(settings, production)).not.toThrow(/: published/);
  });

  test('a trial accepts them, and so does any other environment', () => {
    expect(readConfig(settings, { ...production, TRIAL: '1' }).SMS_TOKEN).toBe('published');
    expect(readConfig(settings, { ...production, NODE_ENV: 'development' }).SMS_TOKEN).toBe('published');
    expect(() => readConfig(settings, { ...production, TRIAL: 'yes' })).toThrow(/TRIAL: /);
  });

  test('a setting of the same schema that is not marked accepts them', () => {
    const address = z.url();
    const shared = z.object({
      ...serviceSettings,
      UPSTREAM_URL: address,
      SIMULATOR_URL: notInProduction(address, () => true, 'unset it').optional(),
    });
    const url = 'http://upstream:8080';
    expect(readConfig(shared, { ...good, NODE_ENV: 'production', UPSTREAM_URL: url }).UPSTREAM_URL).toBe(url);
    expect(() => readConfig(shared, { ...good, NODE_ENV: 'production', UPSTREAM_URL: url, SIMULATOR_URL: url })).toThrow(
      /1 fault\b[\s\S]*SIMULATOR_URL: /,
    );
  });

  test('an own value is accepted', () => {
    expect(readConfig(settings, { ...good, NODE_ENV: 'production', SMS_TOKEN: 'own' }).SMS_TOKEN).toBe('own');
  });
});

describe('a secret in a file', () => {
  const { DATABASE_URL, ...rest } = good;
  const settings = z.object({ ...serviceSettings, SMS_TOKEN: secret(z.string().min(8)).optional(), SMS_SENDER: z.string().optional() });
  let folder: TestFolder;
  beforeAll(async () => {
    folder = await testFolder();
  });
  afterAll(async () => {
    await folder[Symbol.asyncDispose]();
  });
  const fileOf = (name: string, content: string): string => {
    writeFileSync(`${folder.path}/${name}`, content);
    return `${folder.path}/${name}`;
  };

  test('is read without the newline at its end, and is as good as a value', () => {
    const config = readConfig(settings, {
      ...rest,
      DATABASE_URL_FILE: fileOf('url', `${DATABASE_URL}\n`),
      SMS_TOKEN_FILE: fileOf('token', ' two lines\n\r\n'),
    });
    expect(config).toMatchObject({ DATABASE_URL, SMS_TOKEN: ' two lines\n' });
  });

  test('is refused beside a value', () => {
    const both = { ...good, DATABASE_URL_FILE: fileOf('both', 'postgres://u:hunter2@h/d') };
    expect(() => readConfig(settings, both)).toThrow(/1 fault:\n {2}DATABASE_URL: DATABASE_URL_FILE is set too: unset one$/);
  });

  test('is refused with the setting and the path when the file is not there or empty', () => {
    const env = { ...rest, DATABASE_URL_FILE: '/nowhere/url', SMS_TOKEN_FILE: fileOf('empty', '\n') };
    expect(() => readConfig(settings, env)).toThrow(
      /2 faults:\n {2}DATABASE_URL_FILE: \/nowhere\/url cannot be read \(ENOENT\)\n {2}SMS_TOKEN_FILE: \S+\/empty is empty$/,
    );
  });

  test('is judged as a value is, and not quoted', () => {
    const read = () => readConfig(settings, { ...good, SMS_TOKEN_FILE: fileOf('short', 'hunter2') });
    expect(read).toThrow(/SMS_TOKEN: Too small/);
    expect(read).not.toThrow(/hunter2/);
    const published = { ...rest, NODE_ENV: 'production', DATABASE_URL_FILE: fileOf('published', 'postgres://u:corner@h/d') };
    expect(() => readConfig(settings, published)).toThrow(/DATABASE_URL: is a value for development/);
  });

  test('is read for secrets only', () => {
    expect(readConfig(settings, { ...good, SMS_SENDER_FILE: '/nowhere' }).SMS_SENDER).toBeUndefined();
  });
});
