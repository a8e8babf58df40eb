import { describe, expect, test } from '@jest/globals';
import { readDirectoryConfig } from './config.ts';
import { createTokenIssuer } from './sign-in/crypto.ts';
import { signingKey } from './testing/provider.ts';

const required = {
  DATABASE_URL: 'postgres://corner_directory:secret@localhost/corner',
  NATS_URL: 'nats://localhost:4222',
  NATS_PASSWORD: 'secret',
  AUTH_ISSUER: 'https://api.example.com',
  AUTH_JWKS_URL: 'http://directory:8080/api/v1/directory/keys',
};
const provider = { issuer: 'https://id.example.com', client_ids: ['console'] };
const read = (settings: Readonly<Record<string, unknown>>) => () =>
  readDirectoryConfig({
    ...required,
    ...Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  });
const production = { NODE_ENV: 'production' };

describe('the settings of sign-ins', () => {
  test('may all be absent', () => {
    expect(read(production)()).toMatchObject({ SIGN_IN_PROVIDERS: [], OPERATORS: [] });
  });

  test('take one key, a list and a JWK set', () => {
    const key = signingKey();
    for (const value of [key, [key], { keys: [key] }])
      expect(read({ TOKEN_SIGNING_KEYS: value })().TOKEN_SIGNING_KEYS).toEqual([expect.objectContaining({ crv: 'P-256' })]);
  });

  test.each([
    ['a public key', () => ({ ...signingKey(), d: undefined })],
    ['a key of another curve', () => ({ ...signingKey(), crv: 'P-384' })],
    ['a key that is cut short', () => ({ ...signingKey(), d: 'AAAA' })],
    ['no key', () => []],
    ['no JSON', () => 'secret-text'],
  ])('refuse %s, and name the setting without its value', (_, make) => {
    const value = make();
    expect(read({ TOKEN_SIGNING_KEYS: value })).toThrow(/TOKEN_SIGNING_KEYS[.\w]*: /);
    expect(read({ TOKEN_SIGNING_KEYS: value })).not.toThrow(/secret-text|AAAA/);
  });

  test.each([
    ['a client id that is AUTH_AUDIENCE', [{ ...provider, client_ids: ['api'] }], 'has the client id api, which is AUTH_AUDIENCE'],
    ['a client twice', [provider, { ...provider, typ: 'team' }], 'names the client console of https://id.example.com twice'],
    [
      'two providers whose subject is our id',
      [provider, { issuer: 'https://b.example.com', client_ids: ['b'] }].map((one) => ({ ...one, subject_is_id: true })),
      'has subject_is_id at several providers',
    ],
    ['an issuer that is no address', [{ ...provider, issuer: 'corner' }], 'must be the issuer as its ID tokens name it'],
    ['a provider without a client', [{ ...provider, client_ids: [] }], 'SIGN_IN_PROVIDERS'],
  ])('refuse %s', (_, value, message) => {
    expect(read({ SIGN_IN_PROVIDERS: value })).toThrow(message);
  });

  test('refuse in production providers at plain addresses', () => {
    for (const plain of [
      { ...provider, issuer: 'http://id.example.com' },
      { ...provider, jwks_url: 'http://id.example.com/keys' },
    ])
      expect(read({ ...production, SIGN_IN_PROVIDERS: [plain] })).toThrow(/SIGN_IN_PROVIDERS: is a value for development/);
    expect(read({ ...production, SIGN_IN_PROVIDERS: [provider], TOKEN_SIGNING_KEYS: signingKey() })()).toBeDefined();
  });
});

describe('what is sealed', () => {
  const [first, second] = [signingKey(), signingKey()] as [never, never];
  const before = createTokenIssuer('corner', [first]);

  test('is opened while its key is in the list, whichever comes first, and no longer', () => {
    const text = before.seal('refresh', 'a.1');
    expect(createTokenIssuer('corner', [second, first]).open('refresh', text)).toBe('a.1');
    expect(createTokenIssuer('corner', [second]).open('refresh', text)).toBeNull();
  });

  test('is opened for its purpose alone, and not when a character was changed', () => {
    const text = before.seal('refresh', 'a.1');
    expect(before.open('invitation', text)).toBeNull();
    for (const at of [0, 2, text.length - 2]) expect(before.open('refresh', `${text.slice(0, at)}_${text.slice(at + 1)}`)).toBeNull();
    for (const other of ['', '.', 'a.1', 'a.1.']) expect(before.open('refresh', other)).toBeNull();
  });

  test('is proved by a code that the public keys do not give away', () => {
    expect(JSON.stringify(before.keys)).not.toContain((first as { readonly d: string }).d);
    expect(before.keys).toEqual([expect.objectContaining({ alg: 'ES256', use: 'sig', kid: expect.stringMatching(/^[\w-]{43}$/) })]);
  });
});
