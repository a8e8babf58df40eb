import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, orderHistory } from './index.ts';
import { json, startService, type TestService } from './testing/service.ts';

let service: TestService;

/** Twenty-three orders, of which five share one instant across the edge of a page. */
const rows = Array.from({ length: 23 }, (_, n) => ({
  id: `0190a000-0000-7000-8000-0000000000${String(99 - n)}`,
  created_at: `2026-05-01T12:00:00.${String(900_000 - (n >= 8 && n < 13 ? 8 : n))}Z`,
}));

beforeAll(async () => {
  service = await startService((response, _nth, { url }) => {
    const { searchParams: asked } = new URL(url, 'http://localhost');
    const [before, beforeId] = [asked.get('before'), asked.get('before_id')];
    const older = (row: (typeof rows)[number]) =>
      before === null || row.created_at < before || (row.created_at === before && (beforeId === null || row.id < beforeId));
    json(response, 200, { orders: rows.filter(older).slice(0, Number(asked.get('limit'))), scope: asked.get('scope') });
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

const history = (pageSize: number) => orderHistory(createClient({ baseUrl: service.url }), { store_id: rows[0]?.id ?? '', pageSize });

test.each([1, 5, 10, 23, 100])('by pages of %d every order comes once, in its place', async (pageSize) => {
  service.seen.length = 0;
  const ids: string[] = [];
  for await (const { id } of history(pageSize)) ids.push(id);
  expect(ids).toEqual(rows.map(({ id }) => id));
  expect(service.seen).toHaveLength(Math.floor(rows.length / pageSize) + 1);
});

test('a page is fetched when it is asked for', async () => {
  service.seen.length = 0;
  for await (const _ of history(5)) break;
  expect(service.seen).toHaveLength(1);
});
