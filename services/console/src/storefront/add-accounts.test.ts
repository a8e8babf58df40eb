import { shopClient, shopClientId } from '@corner/sandbox/demo';
import { type RunningIssuer, startIssuer } from '@corner/sandbox/issuer';
import { fixedClock } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { choose } from '../testing/browser.ts';
import { shopOrigin, startTestStorefront, type TestStorefront } from '../testing/start-test-storefront.ts';

let issuer: RunningIssuer;
let shop: TestStorefront;
const ida = { key: 'ida', name: 'Ida', about: 'A customer', bearer: { typ: 'customer', sub: 'ida' } } as const;
beforeAll(async () => {
  issuer = await startIssuer({ people: [ida], clients: [shopClient([shopOrigin])] });
  shop = await startTestStorefront({ SHOP_ISSUER: issuer.url, SHOP_CLIENT_ID: shopClientId });
});
afterAll(async () => {
  await shop?.[Symbol.asyncDispose]();
  await issuer?.stop();
});

const post = async (path: string, body: unknown, to = shop) => {
  const headers = { 'content-type': 'application/json' };
  const response = await to.send(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
};
const begin = async () => (await post('/sign-in', {})).body as unknown as { url: string; asked: Record<string, string> };
const codeOf = ({ status, body }: Awaited<ReturnType<typeof post>>) => [status, (body.error as unknown as { code: string }).code];

test('a sign-in is begun with all that a page must keep, and its code is redeemed for an ID token of the shop’s client', async () => {
  const { url, asked } = await begin();
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    client_id: shopClientId,
    redirect_uri: `${shopOrigin}/signed-in`,
    code_challenge_method: 'S256',
    prompt: 'select_account',
    state: asked.state,
    nonce: asked.nonce,
  });
  const { search } = await choose(url, 'ida');
  const { status, body } = await post('/sign-in/finish', { search, asked });
  expect(status).toBe(200);
  expect(decodeJwt(body.id_token ?? '')).toMatchObject({ sub: 'ida', aud: shopClientId, nonce: asked.nonce });
  expect(codeOf(await post('/sign-in/finish', { search, asked }))).toEqual([401, 'ID_TOKEN_INVALID']);
});

test('a refusal, and a code with the state, nonce or verifier of another sign-in, sign no one in', async () => {
  const [first, other] = [await begin(), await begin()];
  const { search: refused } = await choose(first.url, 'no one');
  expect(codeOf(await post('/sign-in/finish', { search: refused, asked: first.asked }))).toEqual([401, 'ID_TOKEN_INVALID']);
  for (const field of ['state', 'nonce', 'verifier']) {
    const { url, asked } = await begin();
    const { search } = await choose(url, 'ida');
    const mixed = { ...asked, [field]: other.asked[field] };
    expect([field, codeOf(await post('/sign-in/finish', { search, asked: mixed }))]).toEqual([field, [401, 'ID_TOKEN_INVALID']]);
  }
  expect(codeOf(await post('/sign-in/finish', { search: 'code=1' }))).toEqual([400, 'VALIDATION_FAILED']);
  expect(shop.lines.join('\n')).not.toContain(first.asked.verifier);
});

test('an address ends 200 sign-ins at once, and the answer says when to come back; another address is not kept waiting', async () => {
  const clock = fixedClock('2026-05-01T12:00:00Z');
  const env = { SHOP_ISSUER: issuer.url, SHOP_CLIENT_ID: shopClientId, TRUSTED_PROXIES: '127.0.0.1' };
  await using busy = await startTestStorefront(env, clock.now);
  const finish = (address: string) =>
    busy.send('/sign-in/finish', {
      method: 'POST',
      headers: { 'x-forwarded-for': address, 'content-type': 'application/json' },
      body: '{}',
    });
  const statuses: number[] = [];
  for (let n = 0; n < 200; n += 1) statuses.push((await finish(n % 2 ? '2001:db8::1' : '2001:db8::2')).status);
  expect(new Set(statuses)).toEqual(new Set([400]));
  const refused = await finish('2001:db8::3');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3']);
  expect((await refused.json()) as object).toMatchObject({
    error: { code: 'RATE_LIMITED', message: expect.stringContaining('200 in 600 seconds') },
  });
  expect((await finish('203.0.113.9')).status).toBe(400);
  clock.advance({ seconds: 3 });
  expect((await finish('2001:db8::3')).status).toBe(400);
});

test('another origin begins no sign-in, and without a provider there is none; one that is away is a 503', async () => {
  const foreign = await shop.send('/sign-in', { method: 'POST', headers: { origin: 'https://evil.example' } });
  expect(foreign.status).toBe(403);
  await using without = await startTestStorefront();
  expect((await post('/sign-in', {}, without)).status).toBe(404);
  expect(await (await without.send('/shop.json')).json()).toMatchObject({ accounts: false });
  await using lonely = await startTestStorefront({ SHOP_ISSUER: 'http://127.0.0.1:9', SHOP_CLIENT_ID: shopClientId });
  expect(codeOf(await post('/sign-in', {}, lonely))).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
  expect(await (await lonely.send('/shop.json')).json()).toMatchObject({ accounts: true });
});
