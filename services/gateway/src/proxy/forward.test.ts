import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { until } from '@corner/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from '../gateway.ts';
import { call, open, readResponse, responseTo } from '../testing/http-client.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { bodyOf, startUpstream, type TestUpstream } from '../testing/test-upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;

beforeEach(async () => {
  upstream = await startUpstream();
  gateway = await startTestGateway(upstream, { UPSTREAM_TIMEOUT_MS: '60000' });
});

afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

describe('forwarding', () => {
  test('passes method, path, query and body to the service, and its response back, unchanged', async () => {
    const body = randomBytes(30_000);
    let arrived: Buffer = Buffer.alloc(0);
    upstream.respond = async (request, response) => {
      arrived = await bodyOf(request);
      response.writeHead(207, { 'x-own': 'yes', 'content-type': 'text/odd' }).end('response');
    };
    const response = await call(`${gateway.url}/api/v1/orders/a%2Fb?q=%20x&q=2&r=a+b`, {
      method: 'PATCH',
      body,
      headers: { 'content-length': body.length },
    });
    expect(upstream.seen[0]).toMatchObject({ method: 'PATCH', url: '/api/v1/orders/a%2Fb?q=%20x&q=2&r=a+b' });
    expect(arrived.equals(body)).toBe(true);
    expect(response).toMatchObject({ status: 207, text: 'response', headers: { 'x-own': 'yes', 'content-type': 'text/odd' } });
  });

  test('streams the response: its first chunk arrives before the last is sent', async () => {
    const { promise: firstRead, resolve: sendLast } = Promise.withResolvers<void>();
    upstream.respond = async (_request, response) => {
      response.write('first');
      await firstRead;
      response.end('last');
    };
    const request = open(`${gateway.url}/api/v1/orders`);
    request.end();
    const response = await responseTo(request);
    const [first] = await once(response, 'data');
    expect(String(first)).toBe('first');
    sendLast();
    expect((await readResponse(response)).text).toBe('last');
  });

  test('streams the request: its first chunk arrives before the last is sent', async () => {
    const { promise: firstArrived, resolve: resolveFirst } = Promise.withResolvers<string>();
    upstream.respond = async (request, response) => {
      const [first] = await once(request, 'data');
      resolveFirst(String(first));
      response.end((await bodyOf(request)).toString());
    };
    const request = open(`${gateway.url}/api/v1/orders`, { method: 'POST' });
    const head = responseTo(request);
    request.write('first');
    expect(await firstArrived).toBe('first');
    request.end('last');
    expect((await readResponse(await head)).text).toBe('last');
  });

  test('applies backpressure to a fast service when the caller reads slowly, and loses no bytes', async () => {
    const part = randomBytes(64 * 1024);
    const parts = 1024;
    let written = 0;
    upstream.respond = async (_request, response) => {
      response.once('error', () => {});
      for (; written < parts; written += 1) if (!response.write(part)) await once(response, 'drain');
      response.end();
    };
    const request = open(`${gateway.url}/api/v1/orders`);
    request.end();
    const response = await responseTo(request);
    // The caller does not read, so the service stops with most of the response unsent.
    let before = -1;
    await until(
      async () => {
        const still = written > 0 && written === before;
        before = written;
        for (let round = 0; round < 5; round += 1) await call(`${gateway.url}/livez`);
        return still;
      },
      { describe: 'the service to stop writing' },
    );
    expect(written).toBeLessThan(parts / 2);
    const hash = createHash('sha256');
    for await (const chunk of response) hash.update(chunk as Buffer);
    const whole = createHash('sha256');
    for (let index = 0; index < parts; index += 1) whole.update(part);
    expect(hash.digest('hex')).toBe(whole.digest('hex'));
  });

  test.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('passes a response without a body: %s %i', async (method, status) => {
    upstream.respond = (_request, response) => {
      response.writeHead(status, method === 'HEAD' ? { 'content-length': '12' } : {}).end();
    };
    const response = await call(`${gateway.url}/api/v1/orders`, { method });
    expect(response).toMatchObject({ status, text: '' });
    if (method === 'HEAD') expect(response.headers['content-length']).toBe('12');
  });

  test('reuses one connection to the service for consecutive requests', async () => {
    for (let round = 0; round < 5; round += 1) await call(`${gateway.url}/api/v1/orders`, { method: 'POST', body: '{}' });
    expect(upstream.sockets).toHaveLength(1);
  });

  test('keeps the connection usable when the service responds before it has read the whole body', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    upstream.respond = (_request, response) => {
      response.writeHead(401).end('no');
    };
    const request = open(`${gateway.url}/webhooks/stripe`, { method: 'POST', agent, headers: { 'content-length': '260000' } });
    const head = responseTo(request);
    request.write(Buffer.alloc(1_000));
    const response = await readResponse(await head);
    expect(response).toMatchObject({ status: 401, text: 'no' });
    request.end(Buffer.alloc(259_000));
    expect(await call(`${gateway.url}/api/v1/orders`, { agent })).toMatchObject({ status: 401 });
    agent.destroy();
  });
});
