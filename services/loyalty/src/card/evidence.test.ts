// covers: readStampEvidence

import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { recountStamps } from '@corner/operator';
import { documentedCommands, feedPage, runCommands, testFolder, webhookFeed, withDays } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { refundEvent } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { addPendingStamp, bo, customerToken, openShop, ownerOf, type Shop, staffOf, withoutProof } from '../testing/shop.ts';
import { fieldsOf, tapOf } from '../testing/tags.ts';

let running: Running;
let shop: Shop;
let [uid, shops] = ['', 0];
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  // Events have the time of the database.
  running.clock.set(new Date().toISOString());
  shops += 1;
  uid = `04${String(shops).padStart(12, '0')}`;
  shop = await openShop(running, { ...withoutProof, goal: 4, tags: [{ uid }] });
});
afterAll(async () => await running[Symbol.asyncDispose]());

const dayOf = (ms: number) => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' }).format(ms);
const range = () => ({ from: dayOf(Date.now() - 86_400_000), to: dayOf(Date.now() + 86_400_000) });
const read = async () =>
  (await shop.get(`evidence?${new URLSearchParams({ store_id: shop.storeId, ...range() })}`, await ownerOf(running, shop.storeId))).body;

const Row = z.object({ event_id: z.string(), type: z.string(), at: z.string(), data: z.record(z.string(), z.unknown()) });
const feed = async () =>
  webhookFeed(
    shop.storeId,
    await running.service.database.any(sql.type(Row)`
      select event_id, type, to_jsonb(created_at) #>> '{}' as at, data from outbox where store_id = ${shop.storeId} order by id`),
  );
const recount = async () => recountStamps(await feed(), { ...range(), zone: 'Europe/London' });

let counter = 0;
const tap = () => {
  counter += 1;
  return fieldsOf(tapOf(uid, counter));
};
async function collect(customerId: string, proof: object = {}): Promise<void> {
  const token = await customerToken(running, customerId);
  const { body } = await shop.post('stamp-codes', { store_id: shop.storeId, ttl_seconds: 60, ...proof }, token);
  expect((await shop.post('stamp-codes/redeem', { code: body.code }, token)).body.stamp_status).toBe('approved');
}

describe('what proves the stamps of a store', () => {
  test('is a payment, a tap, a person or a code, as each stamp says; a recount of the store’s events is the same', async () => {
    const [ana, bea, cid] = [randomUUID(), randomUUID(), randomUUID()];
    for (let n = 0; n < 3; n += 1) await shop.pay(ana);
    const refunded = await shop.pay(bea);
    await collect(ana, tap());
    await collect(bea, tap());
    await collect(cid);
    await shop.grant(ana);
    const { body: undone } = await shop.grant(bea);
    const waiting = await addPendingStamp(running, shop, bea);
    await shop.post(
      'stamps/review',
      { store_id: shop.storeId, stamp_id: waiting, action: 'approve' },
      await staffOf(running, shop.storeId, bo),
    );
    await addPendingStamp(running, shop, bea);
    await running.consume(refundEvent(refunded, 2));
    await shop.post('stamps/undo', { store_id: shop.storeId, customer_id: bea, stamp_id: undone.stamp_id });
    const sums = {
      stamps: 8,
      proved: 5,
      evidence: [
        { evidence: 'order', stamps: 3 },
        { evidence: 'staff', stamps: 2 },
        { evidence: 'tap', stamps: 2 },
        { evidence: 'code', stamps: 1 },
      ],
    };
    expect(await read()).toEqual({ ...range(), ...sums });
    expect(await recount()).toEqual(sums);
  });

  test('is of the days that are asked for', async () => {
    await shop.pay(randomUUID());
    const of = async (from: string, to: string) =>
      (await shop.get(`evidence?${new URLSearchParams({ store_id: shop.storeId, from, to })}`)).body.stamps;
    expect([await of('2020-01-01', '2020-12-31'), await of(range().from, range().to)]).toEqual([0, 1]);
    expect(recountStamps(await feed(), { from: '2020-01-01', to: '2020-12-31', zone: 'Europe/London' }).stamps).toBe(0);
  });

  test('is for those who manage the store', async () => {
    const path = `evidence?${new URLSearchParams({ store_id: shop.storeId, ...range() })}`;
    expect((await shop.get(path, await staffOf(running, shop.storeId))).body.error.code).toBe('INSUFFICIENT_ROLE');
    const other = await openShop(running);
    expect((await shop.get(path, await ownerOf(running, other.storeId))).body.error.code).toBe('STORE_FORBIDDEN');
    const unknown = randomUUID();
    const asked = `evidence?${new URLSearchParams({ store_id: unknown, ...range() })}`;
    expect((await shop.get(asked, await ownerOf(running, unknown))).body.error.code).toBe('STORE_NOT_FOUND');
    expect((await shop.get(`evidence?store_id=${shop.storeId}&from=2026-02-01&to=2026-01-01`)).body.error.message).toContain(
      'must not be before from',
    );
  });
});

describe('a superuser who makes stamps look proved is seen by the recount', () => {
  test.each([
    ['a code becomes a tap', `update stamp set approval_reason = 'nfc_proof' where source = 'web'`, 'tap', 1],
    ['a grant loses its person', `update stamp set by_id = null where source = 'hub'`, 'code', 1],
    ['a grant becomes an order’s', `update stamp set source = 'order' where source = 'hub'`, 'order', 1],
    [
      'a stamp is invented',
      `insert into stamp (id, store_id, customer_id, status, source, created_at) select gen_random_uuid(), store_id, customer_id, status, 'order', created_at from stamp where source = 'hub'`,
      'order',
      1,
    ],
    ['a stamp is removed', `delete from stamp where source = 'hub'`, 'staff', -1],
  ])('%s', async (_, text, evidence, more) => {
    const ana = randomUUID();
    await shop.grant(ana);
    await collect(ana);
    expect(await recount()).toEqual({ stamps: 2, proved: 0, evidence: (await read()).evidence });
    const where = text.includes(' where ') ? text.replace(' where ', ` where store_id = '${shop.storeId}' and `) : text;
    await running.asSuperuser(`set session_replication_role = replica; ${where}`);
    const countOf = (sums: { evidence: readonly { evidence: string; stamps: number }[] }) =>
      sums.evidence.find((row) => row.evidence === evidence)?.stamps ?? 0;
    expect(countOf(await read()) - countOf(await recount())).toBe(more);
  });
});

test('a stranger follows docs/proofs.md: the recount of the events is what the store says', async () => {
  const ana = randomUUID();
  await shop.pay(ana);
  await collect(ana, tap());
  await shop.grant(ana);
  await using folder = await testFolder();
  writeFileSync(`${folder.path}/page-1.json`, feedPage(await feed()));
  // Another service returns the events themselves.
  const [, counted = '', said = ''] = documentedCommands('docs/proofs.md', 'Evidence of a stamp');
  const { from, to } = range();
  const env = { GATEWAY: running.service.url, STORE: shop.storeId, TOKEN: await ownerOf(running, shop.storeId) };
  const run = (text: string) => runCommands(withDays(text, { '2026-11-01': from, '2026-11-30': to }), folder.path, env);
  expect(await run(counted)).toEqual([expect.stringContaining('2 of 3 stamps are proved by a tap or a payment: 66 %'), 0]);
  expect(JSON.parse((await run(said))[0])).toMatchObject({ stamps: 3, proved: 2 });
  writeFileSync(`${folder.path}/page-1.json`, feedPage((await feed()).filter((_, n) => n !== 1)));
  expect((await run(counted))[1]).toBe(1);
});
