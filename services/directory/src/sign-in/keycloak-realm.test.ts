import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { readDirectoryConfig } from '../config.ts';
import { exchange, outcome, signingKey, startProvider, type TestProvider } from '../testing/provider.ts';
import { type Running, startRunning } from '../testing/running.ts';

const folder = `${import.meta.dirname}/../../../../deploy/keycloak`;
const readme = readFileSync(`${folder}/README.md`, 'utf8');
const Client = z.object({
  clientId: z.string(),
  enabled: z.literal(true),
  standardFlowEnabled: z.literal(true),
  implicitFlowEnabled: z.literal(false),
  directAccessGrantsEnabled: z.literal(false),
  redirectUris: z.array(z.url()).min(1),
  attributes: z.object({ 'pkce.code.challenge.method': z.literal('S256') }),
});
const realm = z
  .object({ realm: z.string(), verifyEmail: z.literal(true), defaultSignatureAlgorithm: z.string(), clients: z.array(Client) })
  .parse(JSON.parse(readFileSync(`${folder}/corner-realm.json`, 'utf8')));

function settingOf(name: string): string {
  const [, quoted, plain] = new RegExp(`${name}=(?:'([^']*)'|(\\S+))`).exec(readme) ?? [];
  return quoted ?? plain ?? '';
}

let provider: TestProvider;
let running: Running;
beforeAll(async () => {
  provider = await startProvider(() => running.clock.now());
  const settings = settingOf('SIGN_IN_PROVIDERS').replaceAll('https://id.example.com/realms/corner', provider.issuer);
  running = await startRunning({ settings: { TOKEN_SIGNING_KEYS: JSON.stringify(signingKey()), SIGN_IN_PROVIDERS: settings } });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

test('the clients of the realm are those that the README’s settings accept, by code flow with PKCE alone', () => {
  const { SIGN_IN_PROVIDERS: providers } = readDirectoryConfig(running.environment);
  expect(providers.flatMap(({ client_ids }) => client_ids).toSorted()).toEqual(realm.clients.map(({ clientId }) => clientId).toSorted());
  expect(realm.defaultSignatureAlgorithm).toBe('RS256');
  expect(settingOf('CONSOLE_ISSUER')).toMatch(new RegExp(`/realms/${realm.realm}$`));
  const callbacks = realm.clients.find(({ clientId }) => clientId === settingOf('CONSOLE_CLIENT_ID'))?.redirectUris;
  expect(callbacks).toEqual([expect.stringMatching(/\/sign-in\/callback$/)]);
});

test('an ID token with the claims of Keycloak signs in, and its access token for the same client does not', async () => {
  const claims = {
    aud: 'corner-shop',
    azp: 'corner-shop',
    jti: 'onrtac:1',
    sid: 'a-session',
    acr: '1',
    auth_time: 1,
    at_hash: 'x',
    email_verified: true,
    email: 'ana@example.com',
    name: 'Ana B',
    preferred_username: 'ana@example.com',
    given_name: 'Ana',
  };
  expect(outcome(await exchange(running, await provider.idToken({ ...claims, typ: 'ID' })))).toBe('200');
  expect(outcome(await exchange(running, await provider.idToken({ ...claims, typ: 'Bearer' })))).toBe('401 ID_TOKEN_INVALID');
  expect(outcome(await exchange(running, await provider.idToken({ ...claims, typ: 'Refresh' })))).toBe('401 ID_TOKEN_INVALID');
});
