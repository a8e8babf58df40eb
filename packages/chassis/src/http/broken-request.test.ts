import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type HttpServerOptions, type ListeningServer, listenHttp } from './http-server.ts';

const open: (Socket | ListeningServer)[] = [];

afterEach(async () => {
  for (const part of open.splice(0).reverse()) await (part instanceof Object && 'drain' in part ? part.drain() : part.destroy());
});

let received: string[] = [];
let handled: Promise<void>[] = [];

async function start(options: Partial<HttpServerOptions> = {}): Promise<ListeningServer> {
  const list: string[] = [];
  const ends: Promise<void>[] = [];
  received = list;
  handled = ends;
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    list.push(`${request.method} ${request.url}`);
    try {
      let text = '';
      for await (const chunk of request) text += chunk;
      response.end(`received ${text}`);
    } catch {
      list.push('aborted');
    }
  }
  const server = await listenHttp(
    (request, response) => {
      ends.push(respond(request, response));
    },
    { host: '127.0.0.1', port: 0, graceMs: 50, newId: () => 'made-here', headers: { 'X-Floor': 'yes' }, ...options },
  );
  open.push(server);
  return server;
}

function dial({ port }: ListeningServer): Socket {
  const socket = connect(port, '127.0.0.1');
  open.push(socket);
  socket.on('error', () => {});
  return socket;
}

async function untilClosed(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text;
}

async function sent(server: ListeningServer, bytes: string): Promise<string> {
  const socket = dial(server);
  socket.write(bytes);
  return await untilClosed(socket);
}

function envelope(text: string, status: number, code: string): void {
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toContain('Connection: close');
  expect(head).toContain('X-Floor: yes');
  expect(head).toContain('X-Request-Id: made-here');
  expect(JSON.parse(body)).toEqual({ error: { code, message: expect.any(String), requestId: 'made-here' } });
}

const post = 'POST /first HTTP/1.1\r\nHost: a\r\n';
const smuggled = 'GET /second HTTP/1.1\r\nHost: a\r\n\r\n';

describe('a request that could be read in two ways is refused, and so is all that follows it', () => {
  test.each([
    ['a length and a transfer coding', `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a transfer coding and a length', `${post}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${post}Content-Length: 0\r\nContent-Length: 40\r\n\r\n`],
    ['two lengths that agree', `${post}Content-Length: 0\r\nContent-Length: 0\r\n\r\n`],
    ['a list of lengths', `${post}Content-Length: 0, 0\r\n\r\n`],
    ['a signed length', `${post}Content-Length: +0\r\n\r\n`],
    ['a length in hexadecimal', `${post}Content-Length: 0x0\r\n\r\n`],
    ['bare line feeds', 'POST /first HTTP/1.1\nHost: a\nContent-Length: 0\n\n'],
    ['one bare line feed', 'POST /first HTTP/1.1\r\nHost: a\nContent-Length: 0\r\n\r\n'],
    ['a folded header line', `${post}X-A: b\r\n Content-Length: 40\r\n\r\n`],
    ['a space before the colon', `${post}Content-Length : 0\r\n\r\n`],
    ['a zero byte', `${post}X-A: a\0b\r\n\r\n`],
    ['another transfer coding', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['chunked that is not the last', `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['an unknown transfer coding', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['chunked twice', `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a transfer coding over HTTP/1.0', 'POST /first HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two hosts', 'GET /first HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['no host', 'GET /first HTTP/1.1\r\n\r\n'],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('such as one with %s', async (_, bytes) => {
    const server = await start();
    envelope(await sent(server, bytes + smuggled), 400, 'MALFORMED_REQUEST');
    expect(received).toEqual([]);
  });

  test.each([
    ['a chunk ended by a bare line feed', '1\nx\r\n0\r\n\r\n'],
    ['an extension with a line feed', '1;a\nb\r\nx\r\n0\r\n\r\n'],
    ['a chunk size that is no number', '-1\r\nx\r\n0\r\n\r\n'],
  ])('such as one with %s', async (_, chunks) => {
    const server = await start();
    envelope(await sent(server, `${post}Transfer-Encoding: chunked\r\n\r\n${chunks}${smuggled}`), 400, 'MALFORMED_REQUEST');
    expect(received).not.toContain('GET /second');
  });
});

describe('a request that Node would not hand over gets an envelope too', () => {
  test.each([
    ['an expectation that is not known', 417, 'EXPECTATION_FAILED', `${post}Expect: banana\r\nContent-Length: 2\r\n\r\n{}`],
    ['CONNECT', 405, 'METHOD_NOT_ALLOWED', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a handshake of TLS', 400, 'MALFORMED_REQUEST', '\x16\x03\x01\x02\x00\x01\x00\x01'],
    ['an unknown method', 400, 'MALFORMED_REQUEST', 'BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a length that is no number', 400, 'MALFORMED_REQUEST', `${post}Content-Length: abc\r\n\r\n`],
    ['an unknown version', 400, 'MALFORMED_REQUEST', 'GET / HTTP/3.0\r\nHost: a\r\n\r\n'],
  ])('such as %s', async (_, status, code, bytes) => {
    const server = await start();
    envelope(await sent(server, bytes), status, code);
    expect(received).toEqual([]);
  });

  test('and the requests before it get their own responses first', async () => {
    const text = await sent(await start(), `${post}Content-Length: 1\r\n\r\na${post}Content-Length: 1\r\n\r\nbGARBAGE\r\n\r\n`);
    const [first, second, garbage] = text.split(/(?=HTTP\/1\.1 )/);
    expect([first, second]).toEqual([expect.stringContaining('received a'), expect.stringContaining('received b')]);
    envelope(garbage ?? '', 400, 'MALFORMED_REQUEST');
  });
});

describe('headers are limited', () => {
  test('to 16 KiB', async () => {
    envelope(await sent(await start(), `${post}X-A: ${'a'.repeat(17_000)}\r\n\r\n`), 431, 'HEADERS_TOO_LARGE');
    expect(received).toEqual([]);
  });

  test('to a hundred, and none of fewer is lost', async () => {
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: 1\r\n`).join('');
    envelope(await sent(await start(), `${post}${lines(100)}\r\n`), 431, 'HEADERS_TOO_LARGE');
    expect(received).toEqual([]);
    const text = await sent(
      await start(),
      `${post}${lines(97)}Content-Length: 2\r\nConnection: close\r\n\r\nab`.replace('X-96: 1\r\n', ''),
    );
    expect(text).toContain('received ab');
  });
});

describe('a slow sender', () => {
  /** Sends byte by byte, so that the connection is never idle, until the other side closes it. */
  async function drip(socket: Socket, begin: string, rest: string): Promise<string> {
    const response = untilClosed(socket);
    socket.write(begin);
    for (const byte of rest) {
      if (socket.destroyed || socket.readableEnded) break;
      socket.write(byte);
      await pause(20);
    }
    return await response;
  }

  test('of headers gets 408', async () => {
    const server = await start({ headersTimeoutMs: 150, requestTimeoutMs: 60_000 });
    envelope(await drip(dial(server), post, `X-A: ${'a'.repeat(500)}`), 408, 'REQUEST_TIMEOUT');
    expect(received).toEqual([]);
  });

  test('of a body gets 408, and its request ends', async () => {
    const server = await start({ headersTimeoutMs: 150, requestTimeoutMs: 300 });
    envelope(await drip(dial(server), `${post}Content-Length: 1000\r\n\r\n`, 'a'.repeat(500)), 408, 'REQUEST_TIMEOUT');
    await Promise.all(handled);
    expect(received).toEqual(['POST /first', 'aborted']);
  });

  test('of nothing at all gets 408', async () => {
    const server = await start({ headersTimeoutMs: 150 });
    envelope(await untilClosed(dial(server)), 408, 'REQUEST_TIMEOUT');
  });

  test('does not delay other callers', async () => {
    const server = await start({ headersTimeoutMs: 60_000 });
    for (let index = 0; index < 200; index += 1) dial(server).write(post);
    expect(await sent(server, `${post}Content-Length: 1\r\nConnection: close\r\n\r\na`)).toContain('received a');
  });
});

test('an idle connection is closed after the keep-alive time', async () => {
  const server = await start({ keepAliveMs: 50 });
  expect(await sent(server, `${post}Content-Length: 1\r\n\r\na`)).toContain('received a');
});

test('a request whose caller does not read the response is given up', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const server = await listenHttp(
    (_request, response) => {
      response.once('close', resolve);
      response.write(Buffer.alloc(32 * 1024 * 1024));
    },
    { host: '127.0.0.1', port: 0, graceMs: 50, stallMs: 200 },
  );
  open.push(server);
  const socket = dial(server);
  socket.pause();
  socket.write(smuggled);
  await ended;
});
