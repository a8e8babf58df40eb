import { type ProblemDescription, problems } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { CornerError, createClient, outcomeOf } from './index.ts';
import { isRetryable } from './send-with-retries.ts';

const all = Object.entries<ProblemDescription>(problems);
const codes = new Map(all.map(([code, { status }]) => [code, status]));

async function thrownBy(respond: () => Response | Promise<Response>): Promise<unknown> {
  const client = createClient({ baseUrl: 'https://corner.test', attempts: 1, fetch: async () => await respond() });
  return await client.POST('/api/v1/queue/leave', { body: { entry_id: '4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d' } }).catch((error) => error);
}
const refusal = (status: number, code: string) =>
  new Response(JSON.stringify({ error: { code, message: 'm', requestId: 'r' } }), { status });
const brokenOff = () =>
  new Response(new ReadableStream({ pull: (body) => body.error(new Error('connection reset')) }), {
    status: 200,
    headers: { 'content-type': 'application/json' },
  });

test.each(all)('%s is refused or unknown as the contract says', async (code, { status, nothingDone }) => {
  expect(outcomeOf(await thrownBy(() => refusal(status, code)))).toBe(nothingDone ? 'refused' : 'unknown');
});

test('before a token, a quota or a fault has an effect, a change that was accepted may have lost its response', () => {
  const unknown = [...codes].filter(([code, status]) => outcomeOf({ code, status }) === 'unknown').map(([code]) => code);
  expect(unknown.toSorted()).toEqual(
    [
      'UNAUTHENTICATED',
      'ID_TOKEN_INVALID',
      'SESSION_ENDED',
      'CLIENT_INVALID',
      'WRONG_TOKEN_TYPE',
      'STORE_FORBIDDEN',
      'INSUFFICIENT_SCOPE',
      'INSUFFICIENT_ROLE',
      'REQUEST_TIMEOUT',
      'RATE_LIMITED',
      'IDEMPOTENCY_IN_PROGRESS',
      'INTERNAL',
      'UPSTREAM_UNAVAILABLE',
      'PAYMENT_PROVIDER_ERROR',
    ].toSorted(),
  );
});

describe('it is unknown what was done', () => {
  test.each([400, 401, 403, 404, 408, 409, 413, 429, 431, 500, 501, 502, 503, 504])(
    'after a page of a proxy with status %d',
    async (status) => {
      for (const text of ['<html>', '{}', '{"error":"x"}', ''])
        expect(outcomeOf(await thrownBy(() => new Response(text, { status })))).toBe('unknown');
    },
  );

  test.each([
    ['no connection', () => Promise.reject(new TypeError('fetch failed'))],
    ['a response that breaks off', brokenOff],
    ['a success that is not JSON', () => new Response('<html>', { status: 200 })],
  ])('after %s', async (_, respond) => {
    expect(outcomeOf(await thrownBy(respond))).toBe('unknown');
  });

  test.each([[undefined], [null], ['text'], [new Error('of the page')], [{ code: 'SLOT_CLOSED' }], [{ status: 409 }]])(
    'after %p, which no response threw',
    (error) => {
      expect(outcomeOf(error)).toBe('unknown');
    },
  );
});

test('a code that this version does not know is judged by its status', () => {
  const statuses = [400, 401, 403, 404, 408, 409, 410, 412, 413, 422, 425, 429, 500, 501, 502, 503];
  const refused = statuses.filter((status) => outcomeOf({ code: 'OF_A_NEWER_VERSION', status }) === 'refused');
  expect(refused).toEqual([400, 404, 409, 410, 412, 413, 422]);
});

test('nothing is repeated that proves that nothing was done, and what is unknown is repeated unless it needs another token', () => {
  const repeated = all.filter(([code, { status }]) => isRetryable(new CornerError({ code: code as never, status, message: 'm' })));
  const expected = all.filter(([, { status, nothingDone }]) => !nothingDone && status !== 401 && status !== 403);
  expect(repeated.map(([code]) => code)).toEqual(expected.map(([code]) => code));
});
