import { json, respondWithError, startTestService, type TestService } from '@corner/client/testing';
import { type History, openHistory } from '@corner/simulation';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type ApiCall, callOnce, callWithRetries } from './recording-client.ts';

let service: TestService;
let history: History;
let leave: ApiCall;

beforeAll(async () => {
  service = await startTestService();
  leave = { operation: 'leave', method: 'POST', url: `${service.url}/api/v1/queue/leave`, key: 'shopper:leave', body: { entry_id: '1' } };
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});
beforeEach(() => {
  service.received.length = 0;
  history = openHistory();
});

const recorded = () => history.calls.map(({ operation, key, outcome, status }) => [operation, key, outcome, status]);

test('the history records every attempt of a call with its outcome and the same idempotency key', async () => {
  service.respond = (response, nth) => {
    if (nth === 1) return respondWithError(response, 503, 'UPSTREAM_UNAVAILABLE');
    if (nth === 2) return void response.destroy();
    if (nth === 3) return respondWithError(response, 500, 'INTERNAL');
    response.writeHead(200, { 'content-length': '20' });
    if (nth === 4) return void response.write('{"noop":', () => response.destroy());
    return void response.end(JSON.stringify({ noop: false }).padEnd(20));
  };
  expect(await callWithRetries(history, leave)).toMatchObject({ status: 200, body: { noop: false } });
  expect(recorded()).toEqual([
    ['leave', 'shopper:leave', 'refused', 503],
    ['leave', 'shopper:leave', 'unknown', null],
    ['leave', 'shopper:leave', 'refused', 500],
    ['leave', 'shopper:leave', 'unknown', null],
    ['leave', 'shopper:leave', 'ok', 200],
  ]);
  expect(service.received.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(5).fill('shopper:leave'));
});

test('a call with retries stops at a definite refusal', async () => {
  service.respond = (response) => respondWithError(response, 409, 'SLOT_JUST_FILLED');
  expect(await callWithRetries(history, leave)).toMatchObject({ status: 409, body: { error: { code: 'SLOT_JUST_FILLED' } } });
  expect(recorded()).toEqual([['leave', 'shopper:leave', 'refused', 409]]);
});

test('a single attempt is not retried, and rejects when no response arrives', async () => {
  service.respond = (response, nth) => (nth === 1 ? respondWithError(response, 503, 'UPSTREAM_UNAVAILABLE') : void response.destroy());
  expect((await callOnce(history, leave)).status).toBe(503);
  await expect(callOnce(history, leave)).rejects.toMatchObject({ code: 'UNREACHABLE' });
  expect(recorded().map(([, , outcome]) => outcome)).toEqual(['refused', 'unknown']);
});

test('a call with retries returns the last response when its patience is over', async () => {
  service.respond = (response) => json(response, 503, { error: { code: 'UPSTREAM_UNAVAILABLE' } });
  expect((await callWithRetries(history, leave, 400)).status).toBe(503);
  expect(history.calls.length).toBeGreaterThan(2);
  expect(service.received).toHaveLength(history.calls.length);
});
