import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestConsole, type TestConsole } from '../testing/start-test-console.ts';

const session = '__Host-corner';
let own: TestConsole;
beforeAll(async () => {
  own = await startTestConsole();
});
afterAll(async () => await own[Symbol.asyncDispose]());

const codeOf = async (response: Response) => [response.status, ((await response.json()) as { error: { code: string } }).error.code];

async function bring(other: TestConsole, person: string) {
  const [here, there] = [own.open(), other.open()];
  await here.signIn(person);
  there.cookies.set(session, here.cookies.get(session) ?? '');
  return there;
}

test('a cookie is a session at no console of another key', async () => {
  await using other = await startTestConsole({ env: { ...own.config, CONSOLE_SESSION_KEYS: Buffer.alloc(32, 1).toString('base64') } });
  expect(await codeOf(await (await bring(other, 'bo')).get('/api/me'))).toEqual([401, 'UNAUTHENTICATED']);
});

test.each(['AUTH_ISSUER', 'AUTH_AUDIENCE'])('nor at one of the same key whose tokens have another %s', async (setting) => {
  await using other = await startTestConsole({ env: { ...own.config, [setting]: 'another' } });
  const browser = await bring(other, 'bo');
  expect((await browser.get('/api/me')).status).toBe(401);
  expect(other.lines.join('')).not.toMatch(/eyJ/);
});

test('nor at one of the same key whose keys and provider are others', async () => {
  const { CONSOLE_SESSION_KEYS = '' } = own.config;
  await using other = await startTestConsole({ env: { CONSOLE_SESSION_KEYS } });
  expect((await (await bring(other, 'bo')).get('/api/me')).status).toBe(401);
});
