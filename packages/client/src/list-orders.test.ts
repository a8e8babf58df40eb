import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, liveOrders, myOrders, orderHistory } from './index.ts';
import { json, startTestService, type TestService } from './testing/test-service.ts';

let service: TestService;

const rows = Array.from({ length: 23 }, (_, n) => ({
  id: `0190a000-0000-7000-8000-0000000000${String(99 - n)}`,
  created_at: `2026-05-01T12:00:00.${String(900_000 - (n >= 8 && n < 13 ? 8 : n))}Z`,
}));

beforeAll(async () => {
  service = await startTestService((response, _nth, { url }) => {
    const { searchParams: query } = new URL(url, 'http://localhost');
    const [before, beforeId] = [query.get('before'), query.get('before_id')];
    const older = (row: (typeof rows)[number]) =>
      before === null || row.created_at < before || (row.created_at === before && (beforeId === null || row.id < beforeId));
    json(response, 200, { orders: rows.filter(older).slice(0, Number(query.get('limit'))), scope: query.get('scope') });
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

const history = (pageSize: number) => orderHistory(createClient({ baseUrl: service.url }), { store_id: rows[0]?.id ?? '', pageSize });

test.each([1, 5, 10, 23, 100])('with %d orders per page, the history yields every order once and in order', async (pageSize) => {
  service.received.length = 0;
  const ids: string[] = [];
  for await (const { id } of history(pageSize)) ids.push(id);
  expect(ids).toEqual(rows.map(({ id }) => id));
  expect(service.received).toHaveLength(Math.floor(rows.length / pageSize) + 1);
});

test('the live queue is paged by the same cursor', async () => {
  service.received.length = 0;
  const ids: string[] = [];
  for await (const { id } of liveOrders(createClient({ baseUrl: service.url }), { store_id: rows[0]?.id ?? '', pageSize: 10 }))
    ids.push(id);
  expect(ids).toEqual(rows.map(({ id }) => id));
  expect(service.received.map(({ url }) => new URL(url, 'http://localhost').searchParams.get('scope'))).toEqual([
    'active',
    'active',
    'active',
  ]);
});

test('a customer’s own orders are paged by the same cursor', async () => {
  service.received.length = 0;
  const ids: string[] = [];
  for await (const { id } of myOrders(createClient({ baseUrl: service.url }), { pageSize: 10 })) ids.push(id);
  expect(ids).toEqual(rows.map(({ id }) => id));
  expect(service.received.map(({ url }) => new URL(url, 'http://localhost').pathname)).toEqual(Array(3).fill('/api/v1/orders/mine'));
});

test('the history fetches a page only when the iteration reaches it', async () => {
  service.received.length = 0;
  for await (const _ of history(5)) break;
  expect(service.received).toHaveLength(1);
});
