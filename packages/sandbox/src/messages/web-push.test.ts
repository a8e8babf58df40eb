import { createECDH } from 'node:crypto';
import { testFolder } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { importJWK, SignJWT } from 'jose';
import { messageIdentity } from './messages-environment.ts';
import { type RunningMessages, startMessages } from './start-messages.ts';
import { type BrowserSubscription, decryptPush } from './web-push-browser.ts';

const { vapidPublicKey, vapidPrivateKey } = messageIdentity;
const now = new Date('2026-03-04T05:06:07Z');
const seconds = now.getTime() / 1000;
let folder: Awaited<ReturnType<typeof testFolder>>;
let messages: RunningMessages;
let subscription: BrowserSubscription;

beforeAll(async () => {
  folder = await testFolder();
  messages = await startMessages({ folder: folder.path, now: () => now });
});
afterAll(async () => {
  await messages.stop();
  await folder[Symbol.asyncDispose]();
});
beforeEach(() => {
  messages.controls.empty();
  subscription = messages.controls.subscribeBrowser(vapidPublicKey);
});

interface Sent {
  readonly claims?: Record<string, unknown>;
  readonly key?: string;
  readonly privateKey?: string;
  readonly headers?: Record<string, string | undefined>;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly to?: string;
}

async function push({ claims, key = vapidPublicKey, privateKey = vapidPrivateKey, headers = {}, body, to }: Sent = {}): Promise<Response> {
  const point = Buffer.from(vapidPublicKey, 'base64url');
  const part = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const jwk = await importJWK({ kty: 'EC', crv: 'P-256', x: part(1), y: part(33), d: privateKey }, 'ES256');
  const given = { aud: messages.url, exp: seconds + 60, sub: 'mailto:push@example.com', ...claims };
  const token = await new SignJWT(given).setProtectedHeader({ alg: 'ES256' }).sign(jwk);
  const all = { authorization: `vapid t=${token}, k=${key}`, ttl: '60', 'content-encoding': 'aes128gcm', ...headers };
  return await fetch(to ?? subscription.endpoint, {
    method: 'POST',
    headers: Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]])),
    body: body ?? new Uint8Array(100),
  });
}

describe('a push service', () => {
  test('takes a push that is signed with the key of the subscription', async () => {
    const response = await push({ headers: { topic: 'order', urgency: 'high' } });
    expect([response.status, response.headers.get('location')]).toEqual([201, expect.stringContaining(`${messages.url}/web-push/`)]);
    expect(messages.inbox.to(subscription.endpoint)).toEqual([
      expect.objectContaining({ by: 'web-push', title: '(the browser cannot decrypt it)', collapseKey: 'order' }),
    ]);
  });

  const stranger = createECDH('prime256v1').generateKeys('base64url');
  test.each<[string, Sent, number]>([
    ['without a signature', { headers: { authorization: undefined } }, 401],
    ['with the key of another sender', { key: stranger }, 403],
    ['signed for another audience', { claims: { aud: 'https://fcm.googleapis.com' } }, 403],
    ['signed without a subject', { claims: { sub: undefined } }, 403],
    ['signed for more than a day', { claims: { exp: seconds + 86_401 } }, 403],
    ['whose signature is over', { claims: { exp: seconds - 1 } }, 403],
    ['without a TTL', { headers: { ttl: undefined } }, 400],
    ['in another encoding', { headers: { 'content-encoding': 'aesgcm' } }, 400],
    ['with a topic that is too long', { headers: { topic: 'x'.repeat(33) } }, 400],
    ['of an unknown urgency', { headers: { urgency: 'urgent' } }, 400],
    ['of more than 4096 bytes', { body: new Uint8Array(4_097) }, 413],
  ])('refuses a push %s', async (_what, sent, status) => {
    expect((await push(sent)).status).toBe(status);
    expect(messages.inbox.all()).toEqual([]);
  });

  test('refuses a signature of another key', async () => {
    const { authorization } = { authorization: `vapid t=e30.e30.AAAA, k=${vapidPublicKey}` };
    expect((await push({ headers: { authorization } })).status).toBe(403);
  });

  test('responds 404 for an unknown subscription and 410 for one that has expired', async () => {
    expect((await push({ to: `${messages.url}/web-push/unknown` })).status).toBe(404);
    messages.controls.dropDevice(subscription.endpoint);
    expect((await push()).status).toBe(410);
  });

  test.each([
    ['too_many', 429],
    ['unavailable', 503],
    ['refused', 410],
  ] as const)('with the fault %s responds %i', async (how, status) => {
    messages.controls.fail({ at: 'web-push', how, retryAfterSeconds: 30 });
    const response = await push();
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, status === 410 ? null : '30']);
    expect((await push()).status).toBe(201);
  });

  test('subscribes a browser over HTTP, with a key of the right length only', async () => {
    const subscribe = (applicationServerKey: string) =>
      fetch(`${messages.url}/_sim/subscribe-browser`, { method: 'POST', body: JSON.stringify({ applicationServerKey }) });
    expect(await (await subscribe(vapidPublicKey)).json()).toEqual({
      endpoint: expect.stringContaining(`${messages.url}/web-push/`),
      expirationTime: null,
      keys: { p256dh: expect.stringMatching(/^[\w-]{87}$/), auth: expect.stringMatching(/^[\w-]{22}$/) },
    });
    expect((await subscribe('short')).status).toBe(400);
  });
});

test('a browser decrypts the example of RFC 8291, appendix A, and nothing that was changed', () => {
  const browser = createECDH('prime256v1');
  browser.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url');
  const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url');
  const body = Buffer.from(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    'base64url',
  );
  expect(decryptPush(body, browser, auth)?.toString()).toBe('When I grow up, I want to be a watermelon');
  body[body.length - 1] = 0;
  expect(decryptPush(body, browser, auth)).toBeNull();
});
