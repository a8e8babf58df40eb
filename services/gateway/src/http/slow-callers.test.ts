import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from '../gateway.ts';
import { call } from '../testing/http-client.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { bodyOf, startUpstream, type TestUpstream } from '../testing/test-upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startTestGateway(upstream, { HEADERS_TIMEOUT_MS: '150', REQUEST_TIMEOUT_MS: '400' });
});

beforeEach(() => {
  upstream.respond = async (request, response) => void response.end(await bodyOf(request));
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

describe('a slow caller', () => {
  test('whose body arrives too slowly gets 408, and the service receives nothing of it', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    const closed = once(socket, 'close');
    socket.write('POST /api/v1/orders/streamed HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n');
    while (text === '' && !socket.destroyed) {
      socket.write('x');
      await pause(20);
    }
    await closed;
    expect(text).toMatch(/^HTTP\/1.1 408 [\s\S]*REQUEST_TIMEOUT/);
    expect(upstream.seen).toEqual([]);
  });

  test('does not delay other callers, and its connection is closed', async () => {
    const sockets = Array.from({ length: 100 }, () =>
      connect(gateway.port, '127.0.0.1')
        .on('error', () => {})
        .resume(),
    );
    for (const socket of sockets) socket.write('POST /api/v1/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n');
    expect((await call(`${gateway.url}/api/v1/orders`)).status).toBe(200);
    await until(() => sockets.every(({ destroyed, readableEnded }) => destroyed || readableEnded), {
      describe: 'the slow connections to be closed',
    });
    for (const socket of sockets) socket.destroy();
  });
});
