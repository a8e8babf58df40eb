import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { operations } from '@corner/contracts';
import { openEventStream, until } from '@corner/testkit';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { RunningGateway } from '../gateway.ts';
import { call } from '../testing/http-client.ts';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import { startUpstream, type TestUpstream } from '../testing/test-upstream.ts';

let upstream: TestUpstream;
let gateway: RunningGateway;
let streams: ServerResponse[];

beforeEach(async () => {
  streams = [];
  upstream = await startUpstream((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\ndata: first\n\n');
    streams.push(response);
  });
  gateway = await startTestGateway(upstream);
});
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const livePath = operations.find(({ name }) => name === 'queueStatus')?.path ?? '';
const follow = (headers = {}) => fetch(`${gateway.url}${livePath}`, { headers: { Accept: 'text/event-stream', ...headers } });

test('events of a stream reach the caller as they are sent, and the service gets Last-Event-ID', async () => {
  const stream = await openEventStream(await follow({ 'Last-Event-ID': 'before' }));
  expect(upstream.seen[0]?.headers).toMatchObject({ 'last-event-id': 'before', accept: 'text/event-stream' });
  expect(await stream.next()).toEqual({ id: '1', data: 'first' });
  streams[0]?.write('id: 2\ndata: second\n\n');
  expect(await stream.next()).toEqual({ id: '2', data: 'second' });
  await stream.close();
});

test('open streams take no connection from requests', async () => {
  const open = await Promise.all(Array.from({ length: 300 }, async () => await openEventStream(await follow())));
  upstream.respond = (_request, response) => void response.end('{}');
  expect((await call(`${gateway.url}/api/v1/orders`)).status).toBe(200);
  for (const stream of open) await stream.close();
});

test('when the caller leaves, the stream of the service is closed', async () => {
  const stream = await openEventStream(await follow());
  await stream.next();
  const closed = once(streams[0] as ServerResponse, 'close');
  await stream.close();
  await closed;
});

test('a gateway that stops ends its streams, rather than wait for them', async () => {
  const stream = await openEventStream(await follow());
  await stream.next();
  const stopped = gateway[Symbol.asyncDispose]();
  await stream.ended();
  await stopped;
  await until(() => streams[0]?.destroyed, { describe: 'the stream of the service to close' });
  gateway = await startTestGateway(upstream);
});
