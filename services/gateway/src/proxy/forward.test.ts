import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type ServerResponse } from 'node:http';
import { createLog } from '@corner/chassis/edge';
import { operations } from '@corner/contracts';
import { openEventStream, until } from '@corner/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningGateway } from '../gateway.ts';
import { call, open, readResponse, responseTo } from '../testing/http-client.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { bodyOf, deadAddress, startUpstream, type TestUpstream } from '../testing/test-upstream.ts';

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

  test('holds no connection to the service for callers who still send: a request beside a thousand slow ones is served at once', async () => {
    upstream.respond = async (request, response) => void response.end(await bodyOf(request));
    await using patient = await startTestGateway(upstream, { RATE_LIMITS: 'off' });
    const slow = Array.from({ length: 1_000 }, () => open(`${patient.url}/api/v1/orders`, { method: 'POST' }));
    const heads = slow.map((request) => responseTo(request));
    await Promise.all(slow.map((request) => new Promise((resolve) => request.write('slow', resolve))));
    expect((await call(`${patient.url}/api/v1/orders`, { method: 'POST', body: 'quick' })).text).toBe('quick');
    expect(upstream.seen).toHaveLength(1);
    for (const request of slow) request.end('ly');
    const texts = await Promise.all(heads.map(async (head) => (await readResponse(await head)).text));
    expect(new Set(texts)).toEqual(new Set(['slowly']));
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

  test('keeps the connection usable when the service responds without reading the body', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    upstream.respond = (_request, response) => {
      response.writeHead(401).end('no');
    };
    const request = open(`${gateway.url}/webhooks/stripe`, { method: 'POST', agent, headers: { 'content-length': '260000' } });
    const head = responseTo(request);
    request.end(Buffer.alloc(260_000));
    const response = await readResponse(await head);
    expect(response).toMatchObject({ status: 401, text: 'no' });
    expect(await call(`${gateway.url}/api/v1/orders`, { agent })).toMatchObject({ status: 401 });
    agent.destroy();
  });
});

const unavailable = (requestId: unknown) => ({
  error: { code: 'UPSTREAM_UNAVAILABLE', message: 'The service is not reachable right now.', requestId },
});

describe('a service', () => {
  let hasty: RunningGateway;
  beforeEach(async () => {
    hasty = await startTestGateway(upstream, { UPSTREAM_TIMEOUT_MS: '400' });
  });
  afterEach(async () => await hasty[Symbol.asyncDispose]());

  test('that cannot be reached is a 503 with Retry-After, also for a request with a body', async () => {
    const lines: string[] = [];
    const log = createLog('gateway', 'error', { write: (line) => void lines.push(line) });
    await using testGateway = await startTestGateway({ url: await deadAddress() }, {}, { log });
    for (const sent of [{}, { method: 'POST', body: '{"a":1}' }]) {
      const response = await call(`${testGateway.url}/api/v1/orders`, sent);
      expect(response.status).toBe(503);
      expect(response.headers['retry-after']).toBe('1');
      expect(response.json).toEqual(unavailable(response.headers['x-request-id']));
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
      const response = await call(`${hasty.url}/api/v1/orders`, { method: 'POST', ...(body ? { body } : {}) });
      expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      expect(upstream.seen).toHaveLength(1);
    },
  );

  test('that breaks the connection before responding to a GET gets the GET once more', async () => {
    upstream.respond = (request, response) => {
      if (upstream.seen.length === 1) request.socket.destroy();
      else response.end('second');
    };
    expect(await call(`${hasty.url}/api/v1/orders`)).toMatchObject({ status: 200, text: 'second' });
    upstream.respond = (request) => void request.socket.destroy();
    expect(await call(`${hasty.url}/api/v1/orders`)).toMatchObject({ status: 503 });
    expect(upstream.seen).toHaveLength(4);
  });

  test.each(['content-length', 'chunked'])('that dies during a response causes the response to be cut off (%s)', async (framing) => {
    upstream.respond = (request, response) => {
      if (framing === 'content-length') response.setHeader('content-length', '100');
      response.write('half of it', () => request.socket.destroy());
    };
    const request = open(`${hasty.url}/api/v1/orders`);
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
    const response = await call(`${hasty.url}/api/v1/orders`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(503);
    expect(response.json).toEqual(unavailable(response.headers['x-request-id']));
    await closed;
  });

  test('that stalls during a response causes it to be cut off after the time limit', async () => {
    upstream.respond = (_request, response) => void response.write('half');
    const request = open(`${hasty.url}/api/v1/orders`);
    request.end();
    await expect(readResponse(await responseTo(request))).rejects.toThrow(/aborted/);
  });

  test('is not charged for the time in which a slow caller sends its request', async () => {
    upstream.respond = async (request, response) => void response.end(await bodyOf(request));
    const request = open(`${hasty.url}/api/v1/orders`, { method: 'POST' });
    const head = responseTo(request);
    request.write('slow');
    // A later request has exceeded the time limit, so the slow request has lasted longer than the limit.
    const respondWithBody = upstream.respond;
    upstream.respond = () => {};
    expect((await call(`${hasty.url}/api/v1/queue`)).status).toBe(503);
    upstream.respond = respondWithBody;
    request.end('ly');
    expect(await readResponse(await head)).toMatchObject({ status: 200, text: 'slowly' });
  });

  test('that does not speak HTTP is a 503', async () => {
    upstream.respond = (request) => void request.socket.end('gibberish\r\n\r\n');
    expect(await call(`${hasty.url}/api/v1/orders`, { method: 'POST', body: '{}' })).toMatchObject({ status: 503 });
  });
});

describe('a caller who leaves', () => {
  test('while sending its body is one of whom the service receives nothing', async () => {
    const request = open(`${gateway.url}/api/v1/orders`, { method: 'POST' });
    request.on('error', () => {});
    await new Promise((resolve) => request.write('half', resolve));
    request.destroy();
    expect((await call(`${gateway.url}/api/v1/orders`)).status).toBe(200);
    expect(upstream.seen.map(({ method }) => method)).toEqual(['GET']);
  });

  test.each(['before the response', 'during the response'])('aborts the request to the service: %s', async (when) => {
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
    request.end('{}');
    if (when === 'during the response') await once(request, 'response');
    await until(() => upstream.seen.length === 1, { describe: 'the request at the service' });
    request.destroy();
    await closed;
    upstream.respond = (_request, response) => void response.end('fine');
    expect((await call(`${patientGateway.url}/api/v1/orders`)).text).toBe('fine');
  });
});

describe('streams', () => {
  let streams: ServerResponse[];
  beforeEach(() => {
    streams = [];
    upstream.respond = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\ndata: first\n\n');
      streams.push(response);
    };
  });

  const livePath = operations.find(({ name }) => name === 'queueStatus')?.path ?? '';
  const follow = (headers = {}) => fetch(`${gateway.url}${livePath}`, { headers: { Accept: 'text/event-stream', ...headers } });

  test('reach the caller event by event as they are sent, and the service gets Last-Event-ID', async () => {
    const stream = await openEventStream(await follow({ 'Last-Event-ID': 'before' }));
    expect(upstream.seen[0]?.headers).toMatchObject({ 'last-event-id': 'before', accept: 'text/event-stream' });
    expect(await stream.next()).toEqual({ id: '1', data: 'first' });
    streams[0]?.write('id: 2\ndata: second\n\n');
    expect(await stream.next()).toEqual({ id: '2', data: 'second' });
    await stream.close();
  });

  test.each(['text/event-stream', 'TEXT/Event-Stream, */*;q=0.1'])('take no connection from requests: %s', async (Accept) => {
    const open = await Promise.all(Array.from({ length: 300 }, async () => await openEventStream(await follow({ Accept }))));
    upstream.respond = (_request, response) => void response.end('{}');
    expect((await call(`${gateway.url}/api/v1/orders`)).status).toBe(200);
    for (const stream of open) await stream.close();
  });

  test('of one address leave nine tenths of all to others, whatever the caller says of its address', async () => {
    await using small = await startTestGateway(upstream, { MAX_STREAMS: '20', TRUSTED_PROXIES: '127.0.0.1' });
    const from = (address: string) =>
      fetch(`${small.url}${livePath}`, { headers: { Accept: 'text/event-stream', 'X-Forwarded-For': address } });
    const open = [await from('192.0.2.1'), await from('192.0.2.9, 192.0.2.1')];
    const refused = await from('198.51.100.7, 192.0.2.1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15']);
    for (let each = 2; each <= 10; each += 1) open.push(await from(`192.0.2.${each}`), await from(`192.0.2.${each}`));
    expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]));
    const full = await from('192.0.2.99');
    expect([full.status, full.headers.get('retry-after')]).toEqual([503, '15']);
    expect((await call(`${small.url}/readyz`)).status).toBe(200);
    await open[0]?.body?.cancel();
    await until(async () => (await from('192.0.2.99')).status === 200, { describe: 'room for another stream' });
    for (const stream of open.slice(1)) await stream.body?.cancel();
  });

  test('are closed at the service when the caller leaves', async () => {
    const stream = await openEventStream(await follow());
    await stream.next();
    const closed = once(streams[0] as ServerResponse, 'close');
    await stream.close();
    await closed;
  });

  test('are ended by a gateway that stops, rather than waited for', async () => {
    const stream = await openEventStream(await follow());
    await stream.next();
    const stopped = gateway[Symbol.asyncDispose]();
    await stream.ended();
    await stopped;
    await until(() => streams[0]?.destroyed, { describe: 'the stream of the service to close' });
    gateway = await startTestGateway(upstream);
  });
});
