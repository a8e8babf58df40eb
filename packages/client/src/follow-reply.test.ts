import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ClientOptions, createClient, type Retry } from './index.ts';
import { json, respondWithError, startTestService, type TestService } from './testing/test-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});
beforeEach(() => {
  service.received.length = 0;
  waits.length = 0;
});

const waits: number[] = [];
const corner = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: service.url, token: 'a.b.c', random: () => 1, wait: async (ms) => void waits.push(ms), ...options });
const entry = { params: { query: { entry_id: '4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d' } } };
async function positions(client: ReturnType<typeof corner>, count: number, signal?: AbortSignal): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const state of client.follow('/api/v1/queue/status', { ...entry, signal })) {
    seen.push((state as unknown as { position: number }).position);
    if (seen.length === count) break;
  }
  return seen;
}

async function stream(response: ServerResponse, ...parts: readonly string[]): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const part of parts) await new Promise((written) => response.write(part, written));
  response.end();
}
const event = (id: string, position: number) => `id: ${id}\ndata: ${JSON.stringify({ position })}\n\n`;

describe('follow', () => {
  test('asks for events, reads them across pieces of the stream, and skips comments', async () => {
    const [before, after] = [event('b', 2).slice(0, 9), event('b', 2).slice(9)];
    service.respond = (response) => stream(response, 'retry: 50\n\n', `${event('a', 3)}:\n\n${before}`, after, event('c', 1));
    expect(await positions(corner(), 3)).toEqual([3, 2, 1]);
    expect(service.received).toMatchObject([{ headers: { accept: 'text/event-stream', authorization: 'Bearer a.b.c' } }]);
    expect(service.received[0]?.headers).not.toHaveProperty('last-event-id');
  });

  test('connects again after the end of a stream, with a current token and the id of the last event', async () => {
    service.respond = (response, nth) => stream(response, `retry: 70\n\n${event(`e${nth}`, nth)}`);
    let token = 0;
    expect(await positions(corner({ token: () => `t${++token}` }), 3)).toEqual([1, 2, 3]);
    expect(service.received.map(({ headers }) => [headers.authorization, headers['last-event-id']])).toEqual([
      ['Bearer t1', undefined],
      ['Bearer t2', 'e1'],
      ['Bearer t3', 'e2'],
    ]);
    expect(waits).toEqual([70, 70]);
  });

  test('goes on after a stream that breaks off, and drops the event that was incomplete', async () => {
    service.respond = async (response, nth) => {
      if (nth > 1) return await stream(response, event('b', 1));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`${event('a', 2)}id: lost\ndata: {"posi`, () => response.destroy());
    };
    expect(await positions(corner(), 2)).toEqual([2, 1]);
    expect(service.received[1]?.headers['last-event-id']).toBe('a');
  });

  test('repeats a connection that fails for a while, and throws after as many in a row as `attempts`', async () => {
    service.respond = (response) => respondWithError(response, 503, 'UPSTREAM_UNAVAILABLE');
    const retries: Retry[] = [];
    await expect(positions(corner({ attempts: 3, onRetry: (retry) => retries.push(retry) }), 1)).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      operation: 'queueStatus',
    });
    expect(service.received).toHaveLength(3);
    expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('throws a refusal at once', async () => {
    service.respond = (response, nth) => (nth === 1 ? stream(response, event('a', 1)) : respondWithError(response, 401, 'UNAUTHENTICATED'));
    await expect(positions(corner(), 2)).rejects.toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
    expect(service.received).toHaveLength(2);
  });

  test('throws the reason of its signal', async () => {
    const leaving = new AbortController();
    const left = new Error('left');
    service.respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event('a', 1), () => leaving.abort(left));
    };
    await expect(positions(corner(), 2, leaving.signal)).rejects.toBe(left);
  });

  test('closes its connection when the iteration ends', async () => {
    const closed = new Promise<void>((resolve) => {
      service.respond = (response) => {
        response.on('close', resolve);
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event('a', 1));
      };
    });
    expect(await positions(corner(), 1)).toEqual([1]);
    await closed;
  });

  test('does not compile for a read that cannot be followed', () => {
    // @ts-expect-error: orders of a store are no stream
    expect(() => corner().follow('/api/v1/orders')).toBeInstanceOf(Function);
  });
});

test('a read names the ETag of the previous reply, and an unchanged one has its data', async () => {
  const store_id = '0190a000-0000-7000-8000-000000000001';
  service.respond = (response, nth) =>
    nth === 1 ? json(response, 200, { slots: [] }, { etag: '"one"' }) : void response.writeHead(304, { etag: '"one"' }).end();
  const read = (previous?: Awaited<ReturnType<typeof first>>) =>
    corner().GET('/api/v1/orders/stores/{store_id}/slots', { params: { path: { store_id } }, previous });
  const first = () => corner().GET('/api/v1/orders/stores/{store_id}/slots', { params: { path: { store_id } } });
  const reply = await first();
  expect(reply).toMatchObject({ data: { slots: [] }, etag: '"one"', unchanged: false });
  expect(await read(reply)).toMatchObject({ data: { slots: [] }, etag: '"one"', unchanged: true });
  expect(service.received.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"one"']);
});
