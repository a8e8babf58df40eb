import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from './gateway.ts';
import { call, headOf, open, received } from './testing/client.ts';
import { gatewayBefore } from './testing/gateway.ts';
import { bodyOf, startUpstream, type TestUpstream } from './testing/upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await gatewayBefore(upstream, {}, { newId: () => 'made-here' });
});

beforeEach(() => {
  upstream.answer = async (request, response) => void response.end(await bodyOf(request));
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const lastSeen = () => upstream.seen.at(-1)?.headers ?? {};

describe('a body that is too large', () => {
  test('by its own word is refused before anything is sent on; the connection goes on', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const before = upstream.seen.length;
    const answer = await call(`${gateway.url}/api/v1/orders`, { method: 'POST', body: Buffer.alloc(65_537), agent });
    expect(answer.status).toBe(413);
    expect(answer.json).toEqual({
      error: { code: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than 64 KiB.', requestId: 'made-here' },
    });
    expect(upstream.seen).toHaveLength(before);
    expect((await call(`${gateway.url}/api/v1/orders`, { method: 'POST', body: Buffer.alloc(65_536), agent })).status).toBe(200);
    agent.destroy();
  });

  test('in parts is refused as soon as it is, and the service never sees it whole', async () => {
    const { promise: fate, resolve } = Promise.withResolvers<string>();
    upstream.answer = (request) => {
      request
        .on('error', () => resolve('cut off'))
        .on('end', () => resolve('whole'))
        .resume();
    };
    const request = open(`${gateway.url}/api/v1/orders`, { method: 'POST' });
    const head = headOf(request);
    request.write(Buffer.alloc(60_000));
    await until(() => upstream.seen.at(-1)?.headers['transfer-encoding'] === 'chunked', { describe: 'the first part at the service' });
    request.write(Buffer.alloc(6_000));
    const answer = await received(await head);
    expect(answer.status).toBe(413);
    expect(answer.json.error.code).toBe('PAYLOAD_TOO_LARGE');
    expect(await fate).toBe('cut off');
    request.end();
  });

  test.each([true, false])('is refused so that a caller still sending gets to read it (connection kept: %s)', async (keepAlive) => {
    const agent = new Agent({ keepAlive });
    const request = open(`${gateway.url}/api/v1/orders`, { method: 'POST', agent, headers: { 'content-length': 900_000 } });
    const head = headOf(request);
    request.write(Buffer.alloc(1_000));
    expect((await head).statusCode).toBe(413);
    // All that was announced can still be sent: the door is not slammed.
    const closed = new Promise<Error | null>((resolve) => request.once('error', resolve).once('close', () => resolve(null)));
    request.end(Buffer.alloc(899_000));
    expect((await received(await head)).json.error.code).toBe('PAYLOAD_TOO_LARGE');
    expect(await closed).toBeNull();
    agent.destroy();
  });

  test('and does not end is cut off in the end', async () => {
    const agent = new Agent({ keepAlive: true });
    const request = open(`${gateway.url}/api/v1/orders`, { method: 'POST', agent, headers: { 'content-length': 1024 ** 3 } });
    const head = headOf(request);
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

describe('a webhook', () => {
  test('reaches orders byte for byte, with its signature, however it is framed', async () => {
    const body = randomBytes(200_000);
    const arrived: Buffer[] = [];
    upstream.answer = async (request, response) => {
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

  test('has a larger limit of its own', async () => {
    expect((await call(`${gateway.url}/webhooks/stripe`, { method: 'POST', body: Buffer.alloc(262_145) })).status).toBe(413);
  });
});
