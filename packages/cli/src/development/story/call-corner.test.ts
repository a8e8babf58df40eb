import { json, respondWithError, startTestService, type TestService } from '@corner/client/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { callCorner } from './call-corner.ts';
import { newTraceId } from './http-call.ts';

let gateway: TestService;
const traceId = newTraceId();

beforeAll(async () => {
  gateway = await startTestService();
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});
beforeEach(() => {
  gateway.received.length = 0;
});

const entry_id = '4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d';
const leave = (address = gateway.url) =>
  callCorner({ gateway: address, traceId }, 'a.b.c', (corner) => corner.POST('/api/v1/queue/leave', { body: { entry_id } }));

test('a call carries the story’s trace and is retried after a 503', async () => {
  gateway.respond = (response, nth) =>
    nth === 1 ? respondWithError(response, 503, 'UPSTREAM_UNAVAILABLE') : json(response, 200, { noop: true });
  expect(await leave()).toMatchObject({ call: 'POST /api/v1/queue/leave', status: 200, value: { noop: true } });
  expect(gateway.received.map(({ headers }) => [headers.authorization, headers.traceparent?.slice(0, 35)])).toEqual(
    Array(2).fill(['Bearer a.b.c', `00-${traceId}`]),
  );
  expect(new Set(gateway.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});

test('an error response is a result with its code, message and request id', async () => {
  gateway.respond = (response) => respondWithError(response, 404, 'QUEUE_ENTRY_NOT_FOUND');
  expect(await leave()).toMatchObject({ status: 404, error: 'QUEUE_ENTRY_NOT_FOUND message of QUEUE_ENTRY_NOT_FOUND (request req-1)' });
});

test('a gateway that does not respond is a failure that names its address', async () => {
  const stopped = await startTestService();
  await stopped[Symbol.asyncDispose]();
  await expect(leave(stopped.url)).rejects.toMatchObject({ name: 'Failure', why: `no complete response arrived from ${stopped.url}` });
});
