import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient } from './index.ts';
import { json, respondWithError, startTestService, type TestService } from './testing/test-service.ts';

let service: TestService;
const own = Object.getOwnPropertyDescriptors(AbortSignal.prototype);

beforeAll(async () => {
  service = await startTestService();
  Reflect.deleteProperty(AbortSignal.prototype, 'throwIfAborted');
  Object.defineProperty(AbortSignal.prototype, 'reason', { get: () => undefined, configurable: true });
});
afterAll(async () => {
  Object.defineProperties(AbortSignal.prototype, own);
  await service[Symbol.asyncDispose]();
});

const leave = { body: { entry_id: '4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d' } };

test('where a signal only says whether it was aborted, a call is retried', async () => {
  service.respond = (response, nth) =>
    nth === 1 ? respondWithError(response, 503, 'UPSTREAM_UNAVAILABLE') : json(response, 200, { noop: false });
  const { data } = await createClient({ baseUrl: service.url }).POST('/api/v1/queue/leave', leave);
  expect([data.noop, service.received.length]).toEqual([false, 2]);
});

test('where a signal only says whether it was aborted, a call that was ended throws an error', async () => {
  const caller = new AbortController();
  service.respond = () => caller.abort();
  const call = createClient({ baseUrl: service.url }).POST('/api/v1/queue/leave', { ...leave, signal: caller.signal });
  await expect(call).rejects.toThrow('The call was aborted.');
});
