import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { fixedClock, type TestFolder, testFolder } from '@corner/testkit';
import { type TestCertificates, testCertificates } from '@corner/testkit/certificates';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { openReceivers, type Receivers, type Wire } from './receiver.ts';

const clock = fixedClock('2026-06-01T12:00:00Z');
const cleanups: (() => unknown)[] = [];
let folder: TestFolder;
let certificates: TestCertificates;

beforeAll(async () => {
  folder = await testFolder();
  certificates = await testCertificates(folder.path);
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
});

async function listen(server: Server | ReturnType<typeof createRawServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function open(allowedHosts: readonly string[], wire: Partial<Wire> = {}): Receivers {
  const receivers = openReceivers({ allowedHosts, ownHosts: [] }, clock.now, wire);
  cleanups.push(() => receivers.close());
  return receivers;
}

async function post(server: Server | ReturnType<typeof createRawServer>, wire: Partial<Wire> = {}) {
  const port = await listen(server);
  const { durationMs, ...response } = await open([`127.0.0.1:${port}`], wire).post({
    url: `http://127.0.0.1:${port}/hook?a=1`,
    headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
    body: '{"number":1}',
  });
  expect(durationMs).toBeGreaterThanOrEqual(0);
  return response;
}
const answering = (respond: RequestListener) => createServer(respond);
const saying = (bytes: string) => createRawServer((socket) => socket.once('data', () => socket.write(bytes)));
const none = { status: null, retryAfterSeconds: 0 };

test('a receiver gets the request as it is, and what it says is returned', async () => {
  const got: unknown[] = [];
  const server = answering(async (request, response) => {
    const body = (await request.toArray()).join('');
    got.push(request.method, request.url, request.headers['webhook-id'], request.headers.cookie, body);
    response.writeHead(503, { 'retry-after': '120', 'set-cookie': 'a=1' }).end('later\u0000\n\u202eplease\u2028');
  });
  expect(await post(server)).toEqual({ status: 503, detail: 'later   please ', retryAfterSeconds: 120 });
  expect(got).toEqual(['POST', '/hook?a=1', 'msg_1', undefined, '{"number":1}']);
});

test.each([
  ['Mon, 01 Jun 2026 12:01:00 GMT', 60],
  ['1e300', 86_400],
  ['-5', 0],
  ['soon', 0],
])('Retry-After %s is %d seconds', async (header, seconds) => {
  const server = answering((_, response) => response.writeHead(429, { 'retry-after': header }).end());
  expect(await post(server)).toEqual({ status: 429, detail: '', retryAfterSeconds: seconds });
});

test('a redirection is not followed', async () => {
  const visited: unknown[] = [];
  const elsewhere = await listen(answering((request, response) => response.end(visited.push(request.url))));
  for (const location of ['http://169.254.169.254/latest/meta-data', `http://127.0.0.1:${elsewhere}/`]) {
    expect(await post(answering((_, response) => response.writeHead(307, { location }).end('there')))).toMatchObject({ status: 307 });
  }
  expect(visited).toEqual([]);
});

test('what never ends, or never begins, ends with the time of the request', async () => {
  const wire = { totalMs: 300 };
  const timedOut = { ...none, detail: 'TIMEOUT' };
  expect(await post(createRawServer(), wire)).toEqual(timedOut);
  const drip = (begin: string) =>
    createRawServer((socket) => {
      socket.write(begin);
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    });
  expect(await post(drip('HTTP/1.1 200 OK\r\nX-Slow: '), wire)).toEqual(timedOut);
  const { status, detail } = await post(drip('HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n'), wire);
  expect([status, detail]).toEqual([200, expect.stringMatching(/^x+$/)]);
});

test('a long body is cut, and its connection ends', async () => {
  const arrived = Promise.withResolvers<boolean>();
  const server = answering((_, response) => {
    response.on('close', () => arrived.resolve(response.writableFinished));
    response.end('é'.repeat(30_000_000));
  });
  expect(await post(server)).toEqual({ status: 200, detail: 'é'.repeat(512), retryAfterSeconds: 0 });
  expect(await arrived.promise).toBe(false);
});

test('a compressed body is not decoded', async () => {
  const bomb = gzipSync(Buffer.alloc(40_000_000));
  const server = answering((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
  const { status, detail } = await post(server);
  expect([status, detail.length <= 512, /[\p{Cc}\p{Cs}]/u.test(detail)]).toEqual([200, true, false]);
});

test.each([
  ['TOO_LARGE', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['INVALID_RESPONSE', 'SSH-2.0-OpenSSH_9.9\r\n'],
  ['INVALID_RESPONSE', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n'],
])('%s: not a response that is read', async (detail, bytes) => {
  expect(await post(saying(bytes))).toEqual({ ...none, detail });
});

test('connections that are reset, closed or refused', async () => {
  expect(await post(createRawServer((socket) => socket.resetAndDestroy()))).toEqual({ ...none, detail: 'ECONNRESET' });
  expect(await post(createRawServer((socket) => socket.once('data', () => socket.end())))).toEqual({ ...none, detail: 'ECONNRESET' });
  const server = createRawServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  const response = await open([`127.0.0.1:${port}`]).post({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '' });
  expect(response).toMatchObject({ ...none, detail: 'ECONNREFUSED' });
});

test('header that HTTP does not allow is a fault, not an exception', async () => {
  const response = await open(['127.0.0.1:1']).post({ url: 'http://127.0.0.1:1/', headers: { a: 'b\r\nc: d' }, body: '' });
  expect(response).toMatchObject({ ...none, detail: 'UND_ERR_INVALID_ARG' });
});

async function secureServer() {
  const requests: unknown[] = [];
  const server = createTlsServer(
    { cert: readFileSync(certificates.server.certificate), key: readFileSync(certificates.server.key) },
    (request, response) => response.end(String(requests.push(request.headers.host))),
  );
  const port = await listen(server);
  const call = (receivers: Receivers, host: string) => receivers.post({ url: `https://${host}:${port}/`, headers: {}, body: '' });
  return { requests, call };
}

test('an address is checked when its host is looked up, and the connection goes to what was checked', async () => {
  const { requests, call } = await secureServer();
  const answers: (readonly string[])[] = [['192.0.78.9', '127.0.0.1'], ['169.254.169.254'], ['::ffff:127.0.0.1'], []];
  const asked: string[] = [];
  const receivers = open([], {
    resolve: async (host) => {
      asked.push(host);
      return answers.shift() ?? ['127.0.0.1'];
    },
  });
  for (let call_ = 0; call_ < 5; call_++) {
    expect(await call(receivers, 'rebinding.example')).toMatchObject({ ...none, detail: 'ADDRESS_REFUSED' });
  }
  expect(asked).toEqual(Array(5).fill('rebinding.example'));
  for (const host of ['127.0.0.1', '[::1]', '0x7f.1', 'localhost']) {
    expect(await call(receivers, host)).toMatchObject({ ...none, detail: 'ADDRESS_REFUSED' });
  }
  expect([asked.length, requests]).toEqual([5, []]);
});

test('a host is looked up once for its connection', async () => {
  const { requests, call } = await secureServer();
  const answers = [['127.0.0.1'], ['127.0.0.2']];
  const receivers = open([], {
    resolve: async () => answers.shift() ?? [],
    isPublic: (address) => address === '127.0.0.1',
    authority: readFileSync(certificates.authority, 'utf8'),
  });
  // Its certificate is of another name, which is known once the connection has been made to the first answer.
  expect(await call(receivers, 'receiver.example')).toMatchObject({ ...none, detail: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  expect(answers).toEqual([['127.0.0.2']]);
  expect(await call(receivers, 'receiver.example')).toMatchObject({ ...none, detail: 'ADDRESS_REFUSED' });
  expect(requests).toEqual([]);
});

test('a certificate counts where the operator allows a host, too', async () => {
  const { requests, call } = await secureServer();
  expect(await call(open(['localhost']), 'localhost')).toMatchObject({ ...none, detail: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  expect(requests).toEqual([]);
  const authority = readFileSync(certificates.authority, 'utf8');
  expect(await call(open(['localhost'], { authority }), 'localhost')).toMatchObject({ status: 200, detail: '1' });
});

test('DNS that has no answer', async () => {
  const { call } = await secureServer();
  const resolve = () => Promise.reject(Object.assign(new Error('no data'), { code: 'ENODATA' }));
  expect(await call(open([], { resolve }), 'nowhere.example')).toMatchObject({ ...none, detail: 'ENOTFOUND' });
  const never = open([], { resolve: () => new Promise(() => {}), totalMs: 200, connectMs: 200 });
  expect(await call(never, 'slow.example')).toMatchObject({ ...none, detail: 'TIMEOUT' });
});
