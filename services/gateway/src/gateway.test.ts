import { Agent } from 'node:http';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { call, open, readResponse, responseTo } from './testing/http-client.ts';
import { startTestGateway } from './testing/start-test-gateway.ts';
import { bodyOf, deadAddress, startSilent, startUpstream, type TestUpstream } from './testing/test-upstream.ts';

let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream();
});

beforeEach(() => {
  upstream.respond = async (request, response) => void response.end(await bodyOf(request));
});

afterAll(async () => {
  await upstream[Symbol.asyncDispose]();
});

describe('a running gateway', () => {
  test('is alive and ready, and names the service that cannot be reached', async () => {
    await using testGateway = await startTestGateway(upstream, {
      QUEUE_URL: await deadAddress(),
      OTEL_RESOURCE_ATTRIBUTES: 'service.version=1.4.2',
    });
    expect((await call(`${testGateway.url}/livez`)).json).toEqual({ service: 'gateway', alive: true });
    const health = () => call(`${testGateway.url}/readyz`);
    await until(async () => (await health()).json.checks.queue !== 'ok', { describe: 'the replica to be out' });
    const ready = await health();
    expect(ready.status).toBe(200);
    expect(ready.json).toEqual({
      service: 'gateway',
      version: '1.4.2',
      ready: true,
      checks: { orders: 'ok', loyalty: 'ok', queue: 'ECONNREFUSED', notifications: 'ok', directory: 'ok' },
    });
  });

  test('says that it is ready before a replica that hangs is known to hang: a probe of the gateway must not fail with it', async () => {
    await using silent = await startSilent();
    await using testGateway = await startTestGateway(upstream, { QUEUE_URL: silent.url });
    const checks = async () => (await call(`${testGateway.url}/readyz`)).json.checks;
    expect(await checks()).toEqual({ orders: 'ok', loyalty: 'ok', queue: 'ok', notifications: 'ok', directory: 'ok' });
    await until(async () => (await checks()).queue === 'TimeoutError', { describe: 'the replica to be known to hang' });
  });

  test('finishes the requests under way when it stops, closes connections after their response, and then stops listening', async () => {
    const stopping = await startTestGateway(upstream);
    const { promise: released, resolve: finish } = Promise.withResolvers<void>();
    upstream.respond = async (_request, response) => {
      response.write('begun, ');
      await released;
      response.end('finished');
    };
    const request = open(`${stopping.url}/api/v1/orders`, { agent: new Agent({ keepAlive: true }) });
    request.end();
    const response = await responseTo(request);
    stopping.beginDraining();
    expect((await call(`${stopping.url}/readyz`)).json).toMatchObject({ ready: false, draining: true });
    upstream.respond = (_request, response) => void response.end();
    const late = await call(`${stopping.url}/api/v1/orders`, { agent: new Agent({ keepAlive: true }) });
    expect(late).toMatchObject({ status: 200, headers: { connection: 'close' } });
    const stopped = stopping[Symbol.asyncDispose]();
    await until(
      () =>
        call(`${stopping.url}/livez`).then(
          () => false,
          () => true,
        ),
      { describe: 'the port to be closed' },
    );
    finish();
    expect((await readResponse(response)).text).toBe('begun, finished');
    await stopped;
  });
});
