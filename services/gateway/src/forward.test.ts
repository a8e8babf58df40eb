import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { until } from '@corner/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from './gateway.ts';
import { call, headOf, open, received } from './testing/client.ts';
import { gatewayBefore } from './testing/gateway.ts';
import { bodyOf, startUpstream, type TestUpstream } from './testing/upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;

beforeEach(async () => {
  upstream = await startUpstream();
  gateway = await gatewayBefore(upstream, { UPSTREAM_TIMEOUT_MS: '400' });
});

afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

describe('an exchange', () => {
  test('carries method, path, query and body to the service, and its answer back, as they are', async () => {
    const body = randomBytes(30_000);
    let arrived: Buffer = Buffer.alloc(0);
    upstream.answer = async (request, response) => {
      arrived = await bodyOf(request);
      response.writeHead(207, { 'x-own': 'yes', 'content-type': 'text/odd' }).end('answer');
    };
    const answer = await call(`${gateway.url}/api/v1/orders/a%2Fb?q=%20x&q=2&r=a+b`, {
      method: 'PATCH',
      body,
      headers: { 'content-length': body.length },
    });
    expect(upstream.seen[0]).toMatchObject({ method: 'PATCH', url: '/api/v1/orders/a%2Fb?q=%20x&q=2&r=a+b' });
    expect(arrived.equals(body)).toBe(true);
    expect(answer).toMatchObject({ status: 207, text: 'answer', headers: { 'x-own': 'yes', 'content-type': 'text/odd' } });
  });

  test('hands over the answer part by part: the first is there before the last is sent', async () => {
    const { promise: firstRead, resolve: sendLast } = Promise.withResolvers<void>();
    upstream.answer = async (_request, response) => {
      response.write('first');
      await firstRead;
      response.end('last');
    };
    const request = open(`${gateway.url}/api/v1/orders`);
    request.end();
    const answer = await headOf(request);
    const [first] = await once(answer, 'data');
    expect(String(first)).toBe('first');
    sendLast();
    expect((await received(answer)).text).toBe('last');
  });

  test('hands over the request part by part', async () => {
    const { promise: firstArrived, resolve: tellFirst } = Promise.withResolvers<string>();
    upstream.answer = async (request, response) => {
      const [first] = await once(request, 'data');
      tellFirst(String(first));
      response.end((await bodyOf(request)).toString());
    };
    const request = open(`${gateway.url}/api/v1/orders`, { method: 'POST' });
    const head = headOf(request);
    request.write('first');
    expect(await firstArrived).toBe('first');
    request.end('last');
    expect((await received(await head)).text).toBe('last');
  });

  test('holds a fast service to the pace of a slow reader, and loses nothing', async () => {
    const part = randomBytes(64 * 1024);
    const parts = 1024;
    let written = 0;
    upstream.answer = async (_request, response) => {
      response.once('error', () => {});
      for (; written < parts; written += 1) if (!response.write(part)) await once(response, 'drain');
      response.end();
    };
    const request = open(`${gateway.url}/api/v1/orders`);
    request.end();
    const answer = await headOf(request);
    // Nobody reads: the service stands still with most of it unsent.
    let before = -1;
    await until(
      async () => {
        const still = written > 0 && written === before;
        before = written;
        for (let round = 0; round < 5; round += 1) await call(`${gateway.url}/livez`);
        return still;
      },
      { describe: 'the service to stand still' },
    );
    expect(written).toBeLessThan(parts / 2);
    const hash = createHash('sha256');
    for await (const chunk of answer) hash.update(chunk as Buffer);
    const whole = createHash('sha256');
    for (let index = 0; index < parts; index += 1) whole.update(part);
    expect(hash.digest('hex')).toBe(whole.digest('hex'));
  });

  test.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('passes an answer without a body: %s %i', async (method, status) => {
    upstream.answer = (_request, response) => {
      response.writeHead(status, method === 'HEAD' ? { 'content-length': '12' } : {}).end();
    };
    const answer = await call(`${gateway.url}/api/v1/orders`, { method });
    expect(answer).toMatchObject({ status, text: '' });
    if (method === 'HEAD') expect(answer.headers['content-length']).toBe('12');
  });

  test('uses one connection to the service for one request after another', async () => {
    for (let round = 0; round < 5; round += 1) await call(`${gateway.url}/api/v1/orders`, { method: 'POST', body: '{}' });
    expect(upstream.sockets).toHaveLength(1);
  });

  test('goes on after an early answer: what is left of the body does not spoil the connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    upstream.answer = (_request, response) => {
      response.writeHead(401).end('no');
    };
    const request = open(`${gateway.url}/webhooks/stripe`, { method: 'POST', agent, headers: { 'content-length': '260000' } });
    const head = headOf(request);
    request.write(Buffer.alloc(1_000));
    const answer = await received(await head);
    expect(answer).toMatchObject({ status: 401, text: 'no' });
    request.end(Buffer.alloc(259_000));
    expect(await call(`${gateway.url}/api/v1/orders`, { agent })).toMatchObject({ status: 401 });
    agent.destroy();
  });
});
