import { Agent } from 'node:http';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { call, headOf, open, received } from './testing/client.ts';
import { gatewayBefore } from './testing/gateway.ts';
import { bodyOf, deadAddress, startUpstream, type TestUpstream } from './testing/upstream.ts';

let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream();
});

beforeEach(() => {
  upstream.answer = async (request, response) => void response.end(await bodyOf(request));
});

afterAll(async () => {
  await upstream[Symbol.asyncDispose]();
});

describe('health', () => {
  test('says that the process lives and is ready, and which service is out of reach', async () => {
    await using lonely = await gatewayBefore(upstream, { QUEUE_URL: await deadAddress() });
    expect((await call(`${lonely.url}/livez`)).json).toEqual({ service: 'gateway', alive: true });
    const ready = await call(`${lonely.url}/readyz`);
    expect(ready.status).toBe(200);
    expect(ready.json).toEqual({
      service: 'gateway',
      ready: true,
      checks: { orders: 'ok', loyalty: 'ok', queue: 'ECONNREFUSED', notifications: 'ok' },
    });
  });

  test('a stop finishes what is under way, turns further requests elsewhere, and then closes', async () => {
    const stopping = await gatewayBefore(upstream);
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
    upstream.answer = async (_request, response) => {
      response.write('begun, ');
      await held;
      response.end('finished');
    };
    const request = open(`${stopping.url}/api/v1/orders`, { agent: new Agent({ keepAlive: true }) });
    request.end();
    const answer = await headOf(request);
    stopping.beginDraining();
    expect((await call(`${stopping.url}/readyz`)).json).toMatchObject({ ready: false, draining: true });
    upstream.answer = (_request, response) => void response.end();
    const late = await call(`${stopping.url}/api/v1/orders`, { agent: new Agent({ keepAlive: true }) });
    expect(late).toMatchObject({ status: 200, headers: { connection: 'close' } });
    const stopped = stopping[Symbol.asyncDispose]();
    await until(
      () =>
        call(`${stopping.url}/livez`).then(
          () => false,
          () => true,
        ),
      { describe: 'the door to be closed' },
    );
    goOn();
    expect((await received(answer)).text).toBe('begun, finished');
    await stopped;
  });
});
