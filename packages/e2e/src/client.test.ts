import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { json, refuse, startService, type TestService } from '../../client/src/testing/service.ts';
import { type Sent, send, sendUntilAnswered } from './client.ts';
import { type History, openHistory } from './history.ts';

let service: TestService;
let history: History;
let leave: Sent;

beforeAll(async () => {
  service = await startService();
  leave = { operation: 'leave', method: 'POST', url: `${service.url}/api/v1/queue/leave`, key: 'walker:leave', body: { entry_id: '1' } };
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});
beforeEach(() => {
  service.seen.length = 0;
  history = openHistory();
});

const recorded = () => history.calls.map(({ operation, key, outcome, status }) => [operation, key, outcome, status]);

test('every attempt is recorded with its outcome, under the one key it was sent with', async () => {
  service.answer = (response, nth) => {
    if (nth === 1) return refuse(response, 503, 'UPSTREAM_UNAVAILABLE');
    if (nth === 2) return void response.destroy();
    if (nth === 3) return refuse(response, 500, 'INTERNAL');
    response.writeHead(200, { 'content-length': '20' });
    if (nth === 4) return void response.write('{"noop":', () => response.destroy());
    return void response.end(JSON.stringify({ noop: false }).padEnd(20));
  };
  expect(await sendUntilAnswered(history, leave)).toMatchObject({ status: 200, body: { noop: false } });
  expect(recorded()).toEqual([
    ['leave', 'walker:leave', 'refused', 503],
    ['leave', 'walker:leave', 'unknown', null],
    ['leave', 'walker:leave', 'refused', 500],
    ['leave', 'walker:leave', 'unknown', null],
    ['leave', 'walker:leave', 'ok', 200],
  ]);
  expect(service.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(5).fill('walker:leave'));
});

test('a definite refusal is an answer', async () => {
  service.answer = (response) => refuse(response, 409, 'SLOT_JUST_FILLED');
  expect(await sendUntilAnswered(history, leave)).toMatchObject({ status: 409, body: { error: { code: 'SLOT_JUST_FILLED' } } });
  expect(recorded()).toEqual([['leave', 'walker:leave', 'refused', 409]]);
});

test('once is once, and no answer is none', async () => {
  service.answer = (response, nth) => (nth === 1 ? refuse(response, 503, 'UPSTREAM_UNAVAILABLE') : void response.destroy());
  expect((await send(history, leave)).status).toBe(503);
  await expect(send(history, leave)).rejects.toMatchObject({ code: 'UNREACHABLE' });
  expect(recorded().map(([, , outcome]) => outcome)).toEqual(['refused', 'unknown']);
});

test('patience ends', async () => {
  service.answer = (response) => json(response, 503, { error: { code: 'UPSTREAM_UNAVAILABLE' } });
  expect((await sendUntilAnswered(history, leave, 400)).status).toBe(503);
  expect(history.calls.length).toBeGreaterThan(2);
  expect(service.seen).toHaveLength(history.calls.length);
});
