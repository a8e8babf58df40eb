import { once } from 'node:events';
import { createLog } from '@corner/chassis/edge';
import { until } from '@corner/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from '../gateway.ts';
import { call, open, readResponse, responseTo } from '../testing/http-client.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { bodyOf, deadAddress, startUpstream, type TestUpstream } from '../testing/test-upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;

beforeEach(async () => {
  upstream = await startUpstream();
  gateway = await startTestGateway(upstream, { UPSTREAM_TIMEOUT_MS: '400' });
});

afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const unavailable = (requestId: unknown) => ({
  error: { code: 'UPSTREAM_UNAVAILABLE', message: 'The service is not reachable right now.', requestId },
});

describe('a service', () => {
  test('that cannot be reached is a 503 with Retry-After, also for a request with a body', async () => {
    const lines: string[] = [];
    const log = createLog('gateway', 'error', { write: (line) => void lines.push(line) });
    await using testGateway = await startTestGateway({ url: await deadAddress() }, {}, { log });
    for (const sent of [{}, { method: 'POST', body: '{"a":1}' }]) {
      const response = await call(`${testGateway.url}/api/v1/orders`, sent);
      expect(response.status).toBe(503);
      expect(response.headers['retry-after']).toBe('1');
      expect(response.json).toEqual(unavailable(response.headers['x-request-id']));
      // The log has the reason, the response does not.
      const line = JSON.parse(lines.at(-1) ?? '{}');
      expect(line).toMatchObject({ problem: 'UPSTREAM_UNAVAILABLE', request_id: response.headers['x-request-id'] });
      expect(line.err.message).toContain('ECONNREFUSED');
    }
  });

  test.each([undefined, '{}'])(
    'that breaks the connection before responding to a POST is a 503, and the POST is sent once (body: %s)',
    async (body) => {
      upstream.respond = async (request) => {
        await bodyOf(request);
        request.socket.destroy();
      };
      const response = await call(`${gateway.url}/api/v1/orders`, { method: 'POST', ...(body ? { body } : {}) });
      expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      expect(upstream.seen).toHaveLength(1);
    },
  );

  test('that breaks the connection before responding to a GET gets the GET once more', async () => {
    upstream.respond = (request, response) => {
      if (upstream.seen.length === 1) request.socket.destroy();
      else response.end('second');
    };
    expect(await call(`${gateway.url}/api/v1/orders`)).toMatchObject({ status: 200, text: 'second' });
    upstream.respond = (request) => void request.socket.destroy();
    expect(await call(`${gateway.url}/api/v1/orders`)).toMatchObject({ status: 503 });
    expect(upstream.seen).toHaveLength(4);
  });

  test.each(['content-length', 'chunked'])('that dies during a response causes the response to be cut off (%s)', async (framing) => {
    upstream.respond = (request, response) => {
      if (framing === 'content-length') response.setHeader('content-length', '100');
      response.write('half of it', () => request.socket.destroy());
    };
    const request = open(`${gateway.url}/api/v1/orders`);
    request.end();
    const response = await responseTo(request);
    expect(response.statusCode).toBe(200);
    await expect(readResponse(response)).rejects.toThrow(/aborted/);
  });

  test('that never responds is a 503 after the time limit, and its request is aborted', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    upstream.respond = (request, response) => {
      request.resume();
      response.once('close', resolve);
    };
    const response = await call(`${gateway.url}/api/v1/orders`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(503);
    expect(response.json).toEqual(unavailable(response.headers['x-request-id']));
    await closed;
  });

  test('that stalls during a response causes it to be cut off after the time limit', async () => {
    upstream.respond = (_request, response) => void response.write('half');
    const request = open(`${gateway.url}/api/v1/orders`);
    request.end();
    await expect(readResponse(await responseTo(request))).rejects.toThrow(/aborted/);
  });

  test('is not charged for the time in which a slow caller sends its request', async () => {
    upstream.respond = async (request, response) => void response.end(await bodyOf(request));
    const request = open(`${gateway.url}/api/v1/orders`, { method: 'POST' });
    const head = responseTo(request);
    request.write('slow');
    // A request that began later has exceeded the time limit, so the slow request has lasted longer than the limit.
    await until(() => upstream.seen.length === 1, { describe: 'the slow request' });
    const respondWithBody = upstream.respond;
    upstream.respond = () => {};
    expect((await call(`${gateway.url}/api/v1/queue`)).status).toBe(503);
    upstream.respond = respondWithBody;
    request.end('ly');
    expect(await readResponse(await head)).toMatchObject({ status: 200, text: 'slowly' });
  });

  test('that does not speak HTTP is a 503', async () => {
    upstream.respond = (request) => void request.socket.end('gibberish\r\n\r\n');
    expect(await call(`${gateway.url}/api/v1/orders`, { method: 'POST', body: '{}' })).toMatchObject({ status: 503 });
  });
});

describe('a caller who leaves', () => {
  test.each(['before the response', 'during the response', 'while sending'])('aborts the request to the service: %s', async (when) => {
    // The time limit is so long that only the caller's leaving can end the request.
    await using patientGateway = await startTestGateway(upstream, { UPSTREAM_TIMEOUT_MS: '300000' });
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    upstream.respond = (request, response) => {
      request.on('error', () => {});
      response.once('close', resolve);
      if (when === 'during the response') response.write('half');
    };
    const request = open(`${patientGateway.url}/api/v1/orders`, { method: 'POST' });
    request.on('error', () => {});
    if (when === 'while sending') request.write('half');
    else request.end('{}');
    if (when === 'during the response') await once(request, 'response');
    await until(() => upstream.seen.length === 1, { describe: 'the request at the service' });
    request.destroy();
    await closed;
    // The gateway still serves.
    upstream.respond = (_request, response) => void response.end('fine');
    expect((await call(`${patientGateway.url}/api/v1/orders`)).text).toBe('fine');
  });
});
