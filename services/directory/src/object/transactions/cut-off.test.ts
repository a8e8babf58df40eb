import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { importFile } from '../../testing/imports.ts';
import { type Running, startRunning } from '../../testing/running.ts';
import { type ApiResponse, openShop, type Shop } from '../../testing/shop.ts';

/** Statements of callers that may still run; the next one fails, as when the process dies or loses its database there. */
let left = Number.POSITIVE_INFINITY;

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning({
    watch(_statement, _name, isBackground) {
      if (!isBackground && left-- <= 0) throw new Error('cut off');
    },
  });
});
beforeEach(async () => {
  shop = await openShop(running);
  await shop.patch('/slots', { template: [{ days: [5], from: '09:00', to: '17:00', every_minutes: 60 }] });
});
afterAll(async () => await running[Symbol.asyncDispose]());

const Row = z.object({ kind: z.string(), version: z.number(), published: z.number(), changes: z.number(), snapshots: z.number() });
const objects = () =>
  running.service.database.any(sql.type(Row)`
    select kind, version, published,
      (select count(*) from change c where (c.kind, c.object_id) = (o.kind, o.id)) as changes,
      (select count(*) from outbox e where (e.type, e.aggregate_id) = (o.kind, o.id::text)) as snapshots
    from object o`);

/** Cuts `step` off at its first statement, at its second, and so on until it is through; after each cut nothing is half there. */
async function cutAtEachStatement(step: () => Promise<boolean>): Promise<number> {
  for (let statements = 0; ; statements += 1) {
    left = statements;
    const done = await step().finally(() => {
      left = Number.POSITIVE_INFINITY;
    });
    for (const row of await objects()) expect(row).toMatchObject({ changes: row.version, snapshots: row.published });
    if (done) return statements;
  }
}

const isDone = ({ status }: ApiResponse): boolean => status === 200;

test('a closure that is cut off at any statement is there with its slots or not at all, and its repeat makes it once', async () => {
  const key = randomUUID();
  const closures = [{ starts_at: '2026-05-01T12:00:00Z', ends_at: '2026-05-01T14:00:00Z' }];
  const cuts = await cutAtEachStatement(async () => isDone(await shop.patch('', { closures }, { key })));
  expect(cuts).toBeGreaterThan(3);
  expect((await shop.changes('store')).map(({ version }) => version)).toEqual([1, 2]);
  expect((await shop.snapshots('slots')).map(({ sequence }) => sequence)).toEqual([1, 2]);
});

test('a new store that is cut off at any statement is there with its owner or not at all, and its repeat makes it once', async () => {
  const [key, code, sub] = [randomUUID(), randomUUID().slice(0, 8), randomUUID()];
  const token = await running.issuer.token({ typ: 'merchant', sub, name: 'Ida' });
  await cutAtEachStatement(async () => isDone(await shop.post('//stores', { code, name: 'New' }, { key, token })));
  const made = await running.service.database.any(sql.type(z.object({ kind: z.string() }))`
    select kind from object where data ->> 'code' = ${code} or id = ${sub} order by kind`);
  expect(made.map(({ kind }) => kind)).toEqual(['staff', 'store']);
});

test('an import that is cut off at any statement has changed every object or none', async () => {
  const ids = [randomUUID(), randomUUID()];
  const content = {
    stores: ids.map((id) => ({ id, code: id.slice(0, 8), name: 'Imported' })),
    menus: ids.map((store_id) => ({ store_id, items: [{ id: 'tea', name: 'Tea', price_pence: 200 }] })),
  };
  const imported = () =>
    running.service.database.oneFirst(sql.type(z.object({ count: z.number() }))`
      select count(*) from object where store_id = any(${sql.array(ids, 'uuid')})`);
  const seen = new Set<number>();
  await cutAtEachStatement(async () => {
    const done = await importFile(running, content, { size: 1 }).then(
      ({ output }) => output !== undefined,
      () => false,
    );
    left = Number.POSITIVE_INFINITY;
    seen.add(await imported());
    return done;
  });
  expect([...seen].toSorted()).toEqual([0, 4]);
});
