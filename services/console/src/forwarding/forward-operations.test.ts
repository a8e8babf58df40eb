import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { personHeader } from '@corner/console-api';
import { people } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Browser } from '../testing/browser.ts';
import { startTestConsole, type TestConsole } from '../testing/start-test-console.ts';

const order = '/api/v1/orders/0190a000-0000-7000-8000-0000000000e1';
let respond: (request: IncomingMessage, response: ServerResponse) => void;
let tested: TestConsole;
let cy: Browser;
let aheadMs = 0;
const gateway = createServer((request, response) => respond(request, response));

beforeAll(async () => {
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  tested = await startTestConsole({
    env: { GATEWAY_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}` },
    now: () => new Date(Date.now() + aheadMs),
  });
  cy = tested.open();
  await cy.signIn('cy');
});
afterAll(async () => {
  await tested?.[Symbol.asyncDispose]();
  gateway.closeAllConnections();
  gateway.close();
});

test('an operation reaches the gateway with the token of the session, its body and its key, and without the cookie', async () => {
  let seen: IncomingMessage['headers'] = {};
  let body = '';
  respond = async (request, response) => {
    [seen, body] = [request.headers, await text(request)];
    response.setHeader('connection', 'x-hop').setHeader('x-hop', 'of this connection');
    response.setHeader('set-cookie', 'a=b').setHeader('etag', '"1"').writeHead(409, { 'content-type': 'application/json' });
    response.end('{"error":{"code":"INVALID_TRANSITION"}}');
  };
  const path = '/api/v1/orders/0190a000-0000-7000-8000-0000000000e1/status?x=%20y';
  const sent = { 'idempotency-key': 'key-1', 'x-request-id': 'request-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
  const response = await cy.post(path, { status: 'ready' }, sent);
  expect([response.status, response.headers.get('etag'), response.headers.get('set-cookie')]).toEqual([409, '"1"', null]);
  expect(response.headers.get('x-hop')).toBeNull();
  expect(await response.text()).toContain('INVALID_TRANSITION');
  expect(body).toBe('{"status":"ready"}');
  expect(seen).toMatchObject({ 'idempotency-key': 'key-1', 'x-request-id': 'request-1', 'content-type': 'application/json' });
  expect([seen.cookie, seen.origin]).toEqual([undefined, undefined]);
  expect(decodeJwt(seen.authorization?.slice('Bearer '.length) ?? '')).toMatchObject({ sub: people.cy.id, typ: 'staff' });
});

test('it is refused when another person is signed in than the page was opened for, and passes for that person', async () => {
  let reached = 0;
  respond = (_, response) => {
    reached += 1;
    response.end('{}');
  };
  const send = (person: string) => cy.post('/api/v1/orders/at-counter', {}, { [personHeader]: person });
  const refused = await send(people.bo.id);
  expect([refused.status, reached]).toEqual([401, 0]);
  expect(await refused.json()).toMatchObject({ error: { code: 'UNAUTHENTICATED', message: expect.stringContaining('Another person') } });
  expect([(await send(people.cy.id)).status, reached]).toEqual([200, 1]);
});

test('it is refused without a session, and from a page of another origin', async () => {
  respond = () => {
    throw new Error('the gateway was reached');
  };
  expect((await tested.open().get('/api/v1/orders')).status).toBe(401);
  expect((await cy.post('/api/v1/orders', {}, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await cy.get('/api/v1/orders', { authorization: 'Bearer x.y.z', cookie: '' })).status).toBe(401);
});

test('a gateway that breaks off is a 503 in the envelope of the platform', async () => {
  respond = (request) => request.socket.destroy();
  const response = await cy.post('/api/v1/orders', { a: 1 });
  expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
});

test('a response arrives piece by piece, and a browser that leaves ends the request', async () => {
  let ended = false;
  respond = (request, response) => {
    request.socket.once('close', () => {
      ended = true;
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
  };
  const response = await cy.get(order, { accept: 'text/event-stream' });
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
  await reader?.cancel();
  await until(() => ended, { describe: 'the request to end' });
});

test('a server that stops ends streams, and waits for the response to a request in progress', async () => {
  const held = Promise.withResolvers<ServerResponse>();
  respond = (request, response) => {
    if (request.method === 'POST') held.resolve(response);
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
  };
  const stopping = await startTestConsole({ env: tested.config });
  const browser = stopping.open();
  for (const [name, value] of cy.cookies) browser.cookies.set(name, value);
  const stream = await browser.get(order);
  const refund = browser.post(`${order}/refunds`, { amount: 100 });
  const response = await held.promise;
  const stopped = stopping[Symbol.asyncDispose]();
  await expect(stream.text()).rejects.toThrow();
  response.writeHead(201).end('{}');
  expect((await refund).status).toBe(201);
  await stopped;
});

test('a stream ends with the token of the session, by the clock of the server', async () => {
  respond = (_request, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
  const browser = tested.open();
  await browser.signIn('cy');
  // A moment before the token ends; the provider does not refresh it.
  tested.wayToIssuer.cut();
  aheadMs = 900_000 - 2_000;
  await expect((await browser.get(order)).text()).rejects.toThrow();
  tested.wayToIssuer.mend();
  aheadMs = 0;
});

test('nothing is asked of the gateway for a browser that left while its session was refreshed', async () => {
  const asked: (string | undefined)[] = [];
  respond = (request, response) => {
    asked.push(request.url);
    response.end();
  };
  aheadMs = 900_000;
  tested.wayToIssuer.freeze();
  const ended = () => tested.lines.filter((line) => line.includes('"GET /api/v1/')).length;
  const before = ended();
  await cy.leave(`${order}/left`);
  await until(() => ended() > before, { describe: 'the server to see that the browser left' });
  tested.wayToIssuer.thaw();
  expect((await cy.get(`${order}/stayed`)).status).toBe(200);
  expect(asked).toEqual([`${order}/stayed`]);
  aheadMs = 0;
});
