import { CornerError } from '@corner/client';
import { expect, test } from '@jest/globals';
import { fakeNetwork, json, memoryStorage, refusal, type Sent, sharedLock } from '../testing/fake-browser.ts';
import { sendAs } from './corner.ts';
import { createSession } from './session.ts';

const origin = 'https://shop.test';
const minuteMs = 60_000;

function browserWith(reply: (sent: Sent, tokens: (refreshToken: string) => Response) => Response | Error | Promise<Response>) {
  let now = 0;
  let issued = 0;
  const tokens = (refresh_token: string) =>
    json({ access_token: `access-${++issued}`, expires_in: 900, refresh_token, subject: { id: 'ana', typ: 'customer', name: null } });
  const network = fakeNetwork((sent) => reply(sent, tokens));
  const [storage, lock] = [memoryStorage(), sharedLock()];
  const pass = (ms: number): void => {
    now += ms;
  };
  const tab = () => createSession({ baseUrl: origin, storage, lock, now: () => now, language: () => 'en', fetch: network.fetch });
  return { tabs: [tab(), tab()] as const, sent: network.sent, storage, pass };
}
const next = ({ body }: Sent): string => `${Number(body.refresh_token) + 1}`;
const guest = (sent: Sent) => sent.path.endsWith('/guests');

test('looking makes no guest, and two tabs that need one at once make one', async () => {
  const { tabs, sent } = browserWith((_, tokens) => tokens('1'));
  expect([await tabs[0].token(), tabs[0].customerId(), sent]).toEqual([null, null, []]);
  expect(await Promise.all(tabs.map((tab) => tab.token({ create: true })))).toEqual(['access-1', 'access-1']);
  expect([sent.length, tabs[1].customerId()]).toEqual([1, 'ana']);
});

test('two tabs never use one refresh token twice', async () => {
  const { tabs, sent, pass } = browserWith((request, tokens) => tokens(guest(request) ? '1' : next(request)));
  await tabs[0].token({ create: true });
  pass(15 * minuteMs);
  expect(await Promise.all(tabs.map((tab) => tab.token()))).toEqual(['access-2', 'access-2']);
  pass(15 * minuteMs);
  await Promise.all(tabs.map((tab) => tab.token()));
  expect(sent.filter((one) => !guest(one)).map(({ body }) => body.refresh_token)).toEqual(['1', '2']);
});

test('a refresh whose reply was lost is repeated with the same key after a reload', async () => {
  let lost = true;
  const { tabs, sent, pass } = browserWith((request, tokens) => {
    if (guest(request)) return tokens('1');
    return lost ? refusal('ID_TOKEN_INVALID', 418) : tokens(next(request));
  });
  await tabs[0].token({ create: true });
  pass(15 * minuteMs);
  await expect(tabs[0].token()).rejects.toThrow(CornerError);
  lost = false;
  expect(await tabs[1].token()).toBe('access-2');
  const [, first, second] = sent;
  expect([second?.key, second?.body]).toEqual([first?.key, first?.body]);
});

test('a guest whose reply was lost is asked for with the same key, and with a new one once that is over', async () => {
  const replies = [refusal('WRONG', 418), refusal('IDEMPOTENCY_KEY_REUSED', 422)];
  const { tabs, sent } = browserWith((_, tokens) => replies.shift() ?? tokens('1'));
  await expect(tabs[0].token({ create: true })).rejects.toThrow(CornerError);
  expect(await tabs[0].token({ create: true })).toBe('access-1');
  const keys = sent.map(({ key }) => key);
  expect([keys[1], new Set(keys).size]).toEqual([keys[0], 2]);
});

test('a session that has ended is forgotten, and the next need makes another guest', async () => {
  const { tabs, pass } = browserWith((request, tokens) => (guest(request) ? tokens('1') : refusal('SESSION_ENDED', 401)));
  await tabs[0].token({ create: true });
  pass(15 * minuteMs);
  expect([await tabs[0].token(), tabs[0].customerId()]).toEqual([null, null]);
  expect(await tabs[1].token({ create: true })).toBe('access-2');
});

test('a session that could not be ended at the server is kept', async () => {
  let up = false;
  const { tabs } = browserWith((request, tokens) => {
    if (guest(request)) return tokens('1');
    return up ? json({}) : refusal('WRONG', 418);
  });
  await tabs[0].token({ create: true });
  await expect(tabs[0].end()).rejects.toThrow(CornerError);
  expect(tabs[0].customerId()).toBe('ana');
  up = true;
  await tabs[0].end();
  expect(tabs[1].customerId()).toBeNull();
});

test('a menu is read without a token, the own orders with one if there is one, and an order makes a guest first', async () => {
  const { tabs, sent } = browserWith((_, tokens) => tokens('1'));
  const authorization: (string | null)[] = [];
  const send = async (request: Request) => {
    authorization.push(request.headers.get('authorization'));
    return json({});
  };
  for (const [method, path] of [
    ['GET', '/api/v1/orders/stores'],
    ['GET', '/api/v1/orders/stores/0190/menu'],
    ['GET', '/api/v1/orders/mine'],
    ['POST', '/api/v1/orders'],
    ['GET', '/api/v1/orders/mine'],
    ['GET', '/api/v1/queue/stores/0190'],
  ] as const)
    await sendAs(tabs[0], new Request(origin + path, { method }), send);
  expect(authorization).toEqual([null, null, null, 'Bearer access-1', 'Bearer access-1', null]);
  expect(sent).toHaveLength(1);
});

test('a request whose token is refused is sent once more, with its body, under the next token', async () => {
  const { tabs } = browserWith((request, tokens) => tokens(guest(request) ? '1' : next(request)));
  const received: (readonly [string | null, string])[] = [];
  const send = async (request: Request) => {
    received.push([request.headers.get('authorization'), await request.text()]);
    return received.length === 1 ? refusal('UNAUTHENTICATED', 401) : json({});
  };
  const response = await sendAs(tabs[0], new Request(`${origin}/api/v1/orders`, { method: 'POST', body: 'two coffees' }), send);
  expect(response.status).toBe(200);
  expect(received).toEqual([
    ['Bearer access-1', 'two coffees'],
    ['Bearer access-2', 'two coffees'],
  ]);
});

test('a guest signs in with the refresh token that proves them, and a refresh keeps the account; a later sign-in names no guest', async () => {
  const { tabs, sent, pass } = browserWith((request, tokens) => {
    if (request.path.endsWith('/token')) return tokens('7');
    return tokens(guest(request) ? '1' : next(request));
  });
  await tabs[0].token({ create: true });
  expect(tabs[0].account()).toBeNull();
  await tabs[0].signIn('id-token');
  expect([tabs[1].account(), await tabs[1].token()]).toEqual([{ name: null }, 'access-2']);
  pass(15 * minuteMs);
  expect([await tabs[0].token(), tabs[0].account()]).toEqual(['access-3', { name: null }]);
  await tabs[0].signIn('another');
  const exchanges = sent.filter(({ path }) => path.endsWith('/token')).map(({ body }) => [body.subject_token, body.guest_refresh_token]);
  expect(exchanges).toEqual([
    ['id-token', '1'],
    ['another', undefined],
  ]);
});
