import { once } from 'node:events';
import { createLog } from '@corner/chassis/edge';
import { until } from '@corner/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from './gateway.ts';
import { call, headOf, open, received } from './testing/client.ts';
import { gatewayBefore } from './testing/gateway.ts';
import { bodyOf, deadAddress, startUpstream, type TestUpstream } from './testing/upstream.ts';

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

const unavailable = (requestId: unknown) => ({
  error: { code: 'UPSTREAM_UNAVAILABLE', message: 'The service is not reachable right now.', requestId },
});

describe('a service in trouble', () => {
  test('that is away is a 503 with Retry-After, also for a request with a body', async () => {
    const lines: string[] = [];
    const log = createLog('gateway', 'error', { write: (line) => void lines.push(line) });
    await using lonely = await gatewayBefore({ url: await deadAddress() }, {}, { log });
    for (const sent of [{}, { method: 'POST', body: '{"a":1}' }]) {
      const answer = await call(`${lonely.url}/api/v1/orders`, sent);
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toBe('1');
      expect(answer.json).toEqual(unavailable(answer.headers['x-request-id']));
      // The operator reads the reason that the caller is not told.
      const line = JSON.parse(lines.at(-1) ?? '{}');
      expect(line).toMatchObject({ problem: 'UPSTREAM_UNAVAILABLE', request_id: answer.headers['x-request-id'] });
      expect(line.err.message).toContain('ECONNREFUSED');
    }
  });

  test.each([undefined, '{}'])(
    'that breaks off before it answers a change is a 503, and the change is sent once (body: %s)',
    async (body) => {
      upstream.answer = async (request) => {
        await bodyOf(request);
        request.socket.destroy();
      };
      const answer = await call(`${gateway.url}/api/v1/orders`, { method: 'POST', ...(body ? { body } : {}) });
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      expect(upstream.seen).toHaveLength(1);
    },
  );

  test('that breaks off before it answers a read is asked once more', async () => {
    upstream.answer = (request, response) => {
      if (upstream.seen.length === 1) request.socket.destroy();
      else response.end('second');
    };
    expect(await call(`${gateway.url}/api/v1/orders`)).toMatchObject({ status: 200, text: 'second' });
    upstream.answer = (request) => void request.socket.destroy();
    expect(await call(`${gateway.url}/api/v1/orders`)).toMatchObject({ status: 503 });
    expect(upstream.seen).toHaveLength(4);
  });

  test.each(['content-length', 'chunked'])('that dies in the middle of an answer cuts the answer off (%s)', async (framing) => {
    upstream.answer = (request, response) => {
      if (framing === 'content-length') response.setHeader('content-length', '100');
      response.write('half of it', () => request.socket.destroy());
    };
    const request = open(`${gateway.url}/api/v1/orders`);
    request.end();
    const answer = await headOf(request);
    expect(answer.statusCode).toBe(200);
    await expect(received(answer)).rejects.toThrow(/aborted/);
  });

  test('that never answers is a 503 after the time limit, and learns that nobody waits any more', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    upstream.answer = (request, response) => {
      request.resume();
      response.once('close', resolve);
    };
    const answer = await call(`${gateway.url}/api/v1/orders`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(503);
    expect(answer.json).toEqual(unavailable(answer.headers['x-request-id']));
    await closed;
  });

  test('that stops in the middle of an answer is cut off after the time limit', async () => {
    upstream.answer = (_request, response) => void response.write('half');
    const request = open(`${gateway.url}/api/v1/orders`);
    request.end();
    await expect(received(await headOf(request))).rejects.toThrow(/aborted/);
  });

  test('is not blamed for a caller who takes its time to send', async () => {
    upstream.answer = async (request, response) => void response.end(await bodyOf(request));
    const request = open(`${gateway.url}/api/v1/orders`, { method: 'POST' });
    const head = headOf(request);
    request.write('slow');
    // Another request that does run into the limit is the clock: it began later and is over.
    await until(() => upstream.seen.length === 1, { describe: 'the slow request' });
    const patient = upstream.answer;
    upstream.answer = () => {};
    expect((await call(`${gateway.url}/api/v1/queue`)).status).toBe(503);
    upstream.answer = patient;
    request.end('ly');
    expect(await received(await head)).toMatchObject({ status: 200, text: 'slowly' });
  });

  test('that speaks no HTTP is a 503', async () => {
    upstream.answer = (request) => void request.socket.end('gibberish\r\n\r\n');
    expect(await call(`${gateway.url}/api/v1/orders`, { method: 'POST', body: '{}' })).toMatchObject({ status: 503 });
  });
});

describe('a caller who goes', () => {
  test.each(['before the answer', 'in the middle of the answer', 'while sending'])('takes the request along: %s', async (when) => {
    // With no time limit to speak of: it is the caller's going that ends the request.
    await using patient = await gatewayBefore(upstream, { UPSTREAM_TIMEOUT_MS: '300000' });
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    upstream.answer = (request, response) => {
      request.on('error', () => {});
      response.once('close', resolve);
      if (when === 'in the middle of the answer') response.write('half');
    };
    const request = open(`${patient.url}/api/v1/orders`, { method: 'POST' });
    request.on('error', () => {});
    if (when === 'while sending') request.write('half');
    else request.end('{}');
    if (when === 'in the middle of the answer') await once(request, 'response');
    await until(() => upstream.seen.length === 1, { describe: 'the request at the service' });
    request.destroy();
    await closed;
    // The gateway is none the worse for it.
    upstream.answer = (_request, response) => void response.end('fine');
    expect((await call(`${patient.url}/api/v1/orders`)).text).toBe('fine');
  });
});
