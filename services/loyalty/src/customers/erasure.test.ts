import { randomUUID } from 'node:crypto';
import { knowsCustomer, readLastVisits } from '@corner/contracts';
import { erasedEvent, erasureBy, exportedBy, until } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { jobs } from '../service.ts';
import { customerOf, queueEvent } from '../testing/events.ts';
import { startRunning } from '../testing/running.ts';
import { openShop, withoutProof } from '../testing/shop.ts';

test('a customer is exported, then erased: vouchers expire, sums stay, and what comes late brings no name back', async () => {
  await using running = await startRunning();
  const shop = await openShop(running, { goal: 2 });
  const id = randomUUID();
  await running.consume(customerOf(id, { name: 'Zed', email: 'zed@example.com' }));
  for (let n = 0; n < 3; n += 1) await shop.pay(id);
  const token = await running.issuer.token({ typ: 'customer', sub: id });
  const code = () => shop.post('stamp-codes', { store_id: shop.storeId, ttl_seconds: 60, device_info: 'phone of Zed' }, token);
  expect((await code()).status).toBe(200);
  const sums = () =>
    running.service.database.one(sql.type(z.object({ stamps: z.number(), paid: z.number(), cards: z.number() }))`
      select (select count(*) from stamp) as stamps, (select sum(paid_pence) from order_ledger) as paid, (select count(*) from card) as cards`);
  const before = await sums();
  const exported = await exportedBy(running, 'loyalty', id);
  expect(Object.keys(exported)).toEqual(
    expect.arrayContaining(['profile', 'cards', 'stamps', 'vouchers', 'orders that earned stamps', 'stamp codes']),
  );
  expect(exported.profile).toEqual([expect.objectContaining({ name: 'Zed', email: 'zed@example.com' })]);
  expect(JSON.stringify(exported.vouchers)).not.toContain('"code"');

  await running.consume(erasedEvent(id));
  expect(await erasureBy(running, 'loyalty', id)).toEqual({
    isDone: true,
    steps: [
      'The profile was deleted: the cards are no one’s any more.',
      '1 vouchers that could be used have expired.',
      expect.stringMatching(/^Hashes and hints of devices were dropped from \d rows\.$/),
    ],
  });
  expect((await shop.events(id)).map(({ type }) => type)).toContain('voucher.expired');
  await running.consume(customerOf(id, { name: 'Zed', version: 9 }));
  await shop.pay(id);
  await jobs.finishErasures.run(running.service.context);
  expect(await sums()).toEqual({ stamps: before.stamps + 1, paid: before.paid + 1_000, cards: before.cards });
  expect((await exportedBy(running, 'loyalty', id)).profile).toBeUndefined();
  // A request within a minute would get the earlier code.
  running.clock.advance({ minutes: 2 });
  expect((await code()).status).toBe(401);
});

test('a snapshot of an erased customer that is a dead letter is emptied and settled', async () => {
  await using running = await startRunning();
  const [id, other] = [randomUUID(), randomUUID()];
  const Letter = z.object({ named: z.boolean(), settled_as: z.string().nullable() });
  const letters = () =>
    running.service.database.any(sql.type(Letter)`
      select payload like '%Zed%' as named, settled_as from dead_letter order by right(subject, 36) = ${other}`);
  for (const customer of [id, other]) {
    const snapshot = customerOf(customer, { name: 'Zed' });
    await running.publish({ ...snapshot, data: { ...(snapshot.data as object), phone: 7 } });
  }
  await until(async () => (await letters()).length === 2, { describe: 'the dead letters' });
  await running.consume(erasedEvent(id));
  expect(await letters()).toEqual([
    { named: false, settled_as: 'discarded' },
    { named: true, settled_as: null },
  ]);
});

test('the last visit of a customer is the last order, place in a queue or stamp at any store', async () => {
  await using running = await startRunning();
  const shops = [await openShop(running), await openShop(running)] as const;
  const [id, stranger] = [randomUUID(), randomUUID()];
  const lastVisit = async () => (await running.call(readLastVisits, { customer_ids: [stranger, id] })).output?.visits;
  expect(await lastVisit()).toEqual([]);
  const visits = [
    () => shops[0].pay(id),
    () => shops[1].grant(id),
    () => shops[1].grant(id),
    () => running.consume(queueEvent('joined', shops[0].storeId, id, running.clock.now().toISOString())),
  ];
  for (const visit of visits) {
    running.clock.advance({ hours: 24 });
    await visit();
    expect(await lastVisit()).toEqual([{ customer_id: id, at: running.clock.now().toISOString().replace('Z', '000Z') }]);
  }
});

test('a customer is known at a store where they paid, waited or collected, and not by what the store gave them', async () => {
  await using running = await startRunning();
  const shops = [await openShop(running), await openShop(running)] as const;
  const [buyer, waiter, given] = [randomUUID(), randomUUID(), randomUUID()];
  const known = async (customer_id: string) =>
    await Promise.all(
      shops.map(async ({ storeId }) => (await running.call(knowsCustomer, { store_id: storeId, customer_id })).output?.known),
    );
  await shops[0].pay(buyer);
  await running.consume(queueEvent('joined', shops[1].storeId, waiter, running.clock.now().toISOString()));
  await shops[0].grant(given);
  expect([await known(buyer), await known(waiter), await known(given)]).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ]);
});

test('the token of an erased customer writes no stamp of a tap and no request for several, and what the phone had named is dropped', async () => {
  await using running = await startRunning();
  const shop = await openShop(running, withoutProof);
  const id = randomUUID();
  await running.consume(customerOf(id, { name: 'Zed' }));
  const token = await running.issuer.token({ typ: 'customer', sub: id });
  const sync = () => {
    const receipt = {
      receipt_id: randomUUID(),
      store_code: shop.storeId,
      tap_timestamp: running.clock.now().toISOString(),
      source: 'offline_zed',
    };
    return shop.post('stamps/sync-offline', { stamps: [receipt] }, token);
  };
  const ask = () => shop.post('multi-stamp/request', { store_id: shop.storeId, requested_stamps: 2 }, token);
  const Stamp = z.object({ receipt_id: z.string().nullable(), source: z.string() });
  const stamps = () => running.service.database.any(sql.type(Stamp)`select receipt_id, source from stamp where customer_id = ${id}`);
  expect((await sync()).body.results).toMatchObject([{ success: true }]);
  expect(await stamps()).toEqual([{ receipt_id: expect.any(String), source: 'offline_zed' }]);

  await running.consume(erasedEvent(id));
  expect((await erasureBy(running, 'loyalty', id))?.steps).toContain(
    'The ids of 1 receipts of taps, which the phone had made, were dropped.',
  );
  expect(await stamps()).toEqual([{ receipt_id: null, source: 'offline_nfc' }]);
  expect([(await sync()).status, (await ask()).status]).toEqual([401, 401]);
  expect(await stamps()).toHaveLength(1);
  // Staff may still grant a stamp to the anonymous id.
  expect((await shop.grant(id)).status).toBe(200);
});
