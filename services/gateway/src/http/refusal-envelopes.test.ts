import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningGateway } from '../gateway.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { startUpstream, type TestUpstream } from '../testing/test-upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startTestGateway(upstream);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const host = 'Host: a\r\nConnection: close\r\n';
const upgrade = 'Host: a\r\nConnection: Upgrade, HTTP2-Settings\r\n';

async function sent(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  let text = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    text += chunk;
    if (/\r\n\r\n.*\}\}$/s.test(text)) socket.end();
  });
  socket.write(Buffer.from(bytes, 'latin1'));
  await once(socket, 'close');
  return text;
}

test.each([
  ['an unknown expectation', 417, `POST /api/v1/orders HTTP/1.1\r\n${host}Expect: banana\r\nContent-Length: 2\r\n\r\n{}`],
  ['CONNECT', 405, `CONNECT a:443 HTTP/1.1\r\n${host}\r\n`],
  ['TRACE', 404, `TRACE / HTTP/1.1\r\n${host}\r\n`],
  ['OPTIONS *', 404, `OPTIONS * HTTP/1.1\r\n${host}\r\n`],
  ['an address of another host', 404, `GET http://evil.example/none HTTP/1.1\r\n${host}\r\n`],
  ['an unknown method', 400, `BREW /pot HTTP/1.1\r\n${host}\r\n`],
  ['an upgrade to WebSocket', 404, `GET /none HTTP/1.1\r\n${upgrade}Upgrade: websocket\r\n\r\n`],
  ['an upgrade to HTTP/2', 404, `GET /none HTTP/1.1\r\n${upgrade}Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n`],
  ['the preface of HTTP/2', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a handshake of TLS', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['HTTP/3', 400, `GET / HTTP/3.0\r\n${host}\r\n`],
  ['a length that is no number', 400, `POST /api/v1/orders HTTP/1.1\r\n${host}Content-Length: abc\r\n\r\n`],
  [
    'a length beyond every limit',
    413,
    `POST /api/v1/orders HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 9999999999\r\n\r\n{`,
  ],
  ['too long a header', 431, `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(20_000)}\r\n\r\n`],
  ['too long an address', 431, `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`],
])('the refusal of %s has the envelope, the request id and the security headers', async (_, status, bytes) => {
  const text = await sent(bytes);
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(body)).toEqual({ error: { code: expect.any(String), message: expect.any(String), requestId: expect.any(String) } });
  expect(head.toLowerCase()).toContain(`x-request-id: ${JSON.parse(body).error.requestId}`);
  expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
});

test('garbage behind a request is refused after the response to that request', async () => {
  const text = await sent(`GET /none HTTP/1.1\r\nHost: a\r\n\r\nGARBAGE\r\n\r\n`);
  expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 400']);
});
