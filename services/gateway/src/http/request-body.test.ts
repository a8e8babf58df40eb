import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { maxPictureBytes, picturesPath } from '@corner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from '../gateway.ts';
import { call, open, readResponse, responseTo } from '../testing/http-client.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { bodyOf, startUpstream, type TestUpstream } from '../testing/test-upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startTestGateway(upstream, {}, { newId: () => 'made-here' });
});

beforeEach(() => {
  upstream.respond = async (request, response) => void response.end(await bodyOf(request));
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const lastSeen = () => upstream.seen.at(-1)?.headers ?? {};

describe('a body that is too large', () => {
  test('by its Content-Length is refused before anything is forwarded, and the connection stays usable', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const before = upstream.seen.length;
    const response = await call(`${gateway.url}/api/v1/orders`, { method: 'POST', body: Buffer.alloc(65_537), agent });
    expect(response.status).toBe(413);
    expect(response.json).toEqual({
      error: { code: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than 64 KiB.', requestId: 'made-here' },
    });
    expect(upstream.seen).toHaveLength(before);
    expect((await call(`${gateway.url}/api/v1/orders`, { method: 'POST', body: Buffer.alloc(65_536), agent })).status).toBe(200);
    agent.destroy();
  });

  test('and sent in chunks is refused as soon as it exceeds the limit, and the service receives nothing of it', async () => {
    const before = upstream.seen.length;
    const request = open(`${gateway.url}/api/v1/orders`, { method: 'POST' });
    const head = responseTo(request);
    request.write(Buffer.alloc(60_000));
    request.write(Buffer.alloc(6_000));
    const response = await readResponse(await head);
    expect(response.status).toBe(413);
    expect(response.json.error.code).toBe('PAYLOAD_TOO_LARGE');
    expect(upstream.seen).toHaveLength(before);
    request.end();
  });

  test.each([true, false])('is refused so that a caller that still sends can read the response (keep-alive: %s)', async (keepAlive) => {
    const agent = new Agent({ keepAlive });
    const request = open(`${gateway.url}/api/v1/orders`, { method: 'POST', agent, headers: { 'content-length': 900_000 } });
    const head = responseTo(request);
    request.write(Buffer.alloc(1_000));
    expect((await head).statusCode).toBe(413);
    const closed = new Promise<Error | null>((resolve) => request.once('error', resolve).once('close', () => resolve(null)));
    request.end(Buffer.alloc(899_000));
    expect((await readResponse(await head)).json.error.code).toBe('PAYLOAD_TOO_LARGE');
    expect(await closed).toBeNull();
    agent.destroy();
  });

  test('and longer than what is read of it is refused on a connection that is closed, so that no caller’s next request is reset', async () => {
    const url = `${gateway.url}/api/v1/orders`;
    const post = async (bytes: number) => {
      const response = await fetch(url, { method: 'POST', body: new Uint8Array(bytes) });
      return `${response.status} ${response.headers.get('connection')} ${(await response.arrayBuffer()).byteLength > 0}`;
    };
    for (let round = 0; round < 60; round += 1)
      expect([await post(1_100_000), await post(100)]).toEqual(['413 close true', '200 keep-alive true']);
  });

  test('and never ends is cut off after a mebibyte', async () => {
    const agent = new Agent({ keepAlive: true });
    const request = open(`${gateway.url}/api/v1/orders`, { method: 'POST', agent, headers: { 'content-length': 1024 ** 3 } });
    const head = responseTo(request);
    const cut = new Promise((resolve) => request.once('close', resolve));
    request.on('error', () => {});
    const part = Buffer.alloc(256 * 1024);
    let sent = 0;
    const send = () => {
      while (!request.destroyed && sent < 1024 ** 3) {
        sent += part.length;
        if (!request.write(part)) return void request.once('drain', send);
      }
    };
    send();
    expect((await head).statusCode).toBe(413);
    await cut;
    expect(sent).toBeLessThan(64 * 1024 ** 2);
    agent.destroy();
  });
});

test('a picture may have a megabyte, and reaches the directory byte for byte', async () => {
  const body = randomBytes(maxPictureBytes);
  const arrived: Buffer[] = [];
  upstream.respond = async (request, response) => {
    arrived.push(await bodyOf(request));
    response.end();
  };
  const send = (bytes: Buffer) => call(`${gateway.url}${picturesPath}?store_id=a`, { method: 'POST', body: bytes });
  expect((await send(body)).status).toBe(200);
  expect((await send(Buffer.concat([body, Buffer.alloc(1)]))).status).toBe(413);
  expect(arrived.map((bytes) => bytes.equals(body))).toEqual([true]);
});

describe('a webhook’s body', () => {
  test('reaches orders byte for byte, with its signature, in either framing', async () => {
    const body = randomBytes(200_000);
    const arrived: Buffer[] = [];
    upstream.respond = async (request, response) => {
      arrived.push(await bodyOf(request));
      response.end();
    };
    const headers = { 'stripe-signature': 't=1,v1=ab', 'content-type': 'application/json; charset=utf-8' };
    for (const framing of [{ 'content-length': body.length }, { 'transfer-encoding': 'chunked' }])
      expect((await call(`${gateway.url}/webhooks/stripe`, { method: 'POST', body, headers: { ...headers, ...framing } })).status).toBe(
        200,
      );
    expect(arrived).toHaveLength(2);
    expect(arrived.every((bytes) => bytes.equals(body))).toBe(true);
    expect(lastSeen()).toMatchObject(headers);
  });

  test('has a larger limit than other bodies', async () => {
    expect((await call(`${gateway.url}/webhooks/stripe`, { method: 'POST', body: Buffer.alloc(262_145) })).status).toBe(413);
  });
});
