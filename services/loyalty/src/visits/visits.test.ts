// covers: customerState

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { customerOf, programmeOf, type VisitedPlace, visitEvent } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';
import { stampVisits } from './transactions.ts';

let running: Running;
let shop: Shop;

beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running, { goal: 2, driver: 'visits', daily_stamp_limit: 1, monthly_stamp_quota: 0 });
});
afterAll(async () => await running[Symbol.asyncDispose]());

const place = (at = shop, customerId: string | null = randomUUID()): VisitedPlace => ({
  ref: randomUUID(),
  storeId: at.storeId,
  customerId,
});
const completed = (of: VisitedPlace, sequence = 4) => visitEvent('completed', of, sequence);
const reopened = (of: VisitedPlace, sequence = 5) => visitEvent('reopened', of, sequence);

const stampCount = async (of: VisitedPlace, at = shop): Promise<number> => (await at.state(of.customerId ?? '')).body.stamp_count;
const events = async (of: VisitedPlace, at = shop) =>
  (await at.events(of.customerId ?? '')).map(({ type, data }) => [type, data.stamp_count ?? null]);

const Stamp = z.object({ status: z.string(), source: z.string() });
const stampsOf = ({ ref }: VisitedPlace) =>
  running.service.database.any(sql.type(Stamp)`select status, source from stamp where visit_ref = ${ref}`);

describe('where the programme rewards visits, a completed walk-in', () => {
  test('earns a stamp, beyond any limit, whose event names who completed it', async () => {
    const visit = place();
    await running.consume(completed(visit));
    expect(await stampsOf(visit)).toEqual([{ status: 'approved', source: 'visit' }]);
    expect((await shop.state(visit.customerId ?? '')).body).toMatchObject({
      stamp_count: 1,
      driver: 'visits',
      order_count: 0,
      last_visit_at: '2026-05-01T10:59:00.000000Z',
    });
    expect((await shop.events(visit.customerId ?? ''))[1]).toMatchObject({
      type: 'stamp.approved',
      data: { source: 'visit', order_id: null, by_id: 'some-staff' },
    });
    await running.consume(completed(place(shop, visit.customerId)));
    expect((await shop.state(visit.customerId ?? '')).body).toMatchObject({
      stamp_count: 0,
      active_vouchers: [{ reward_title: 'A coffee' }],
    });
  });

  test('earns one stamp, however often and at whatever time its event arrives', async () => {
    const visit = place();
    const others = Array.from({ length: 3 }, () => place());
    await running.consume(...[visit, visit, ...others, visit].map((of) => completed(of)));
    await running.consume(completed(visit));
    expect(await stampsOf(visit)).toHaveLength(1);
    expect(await Promise.all([visit, ...others].map((of) => stampCount(of)))).toEqual([1, 1, 1, 1]);
  });

  test('of a guest earns nothing', async () => {
    const visit = place(shop, null);
    await running.consume(completed(visit), reopened(visit));
    expect(await stampsOf(visit)).toEqual([]);
  });

  test('earns one stamp of each store for its own place, and none while the programme is off', async () => {
    const off = await openShop(running, { driver: 'visits', enabled: false });
    const here = place();
    const there = place(off, here.customerId);
    await running.consume(completed(here), completed(there));
    expect([await stampCount(here), await stampCount(there, off)]).toEqual([1, 0]);
  });
});

describe('a completion that is undone', () => {
  test('takes the stamp back, and completing again counts it again, each once', async () => {
    const visit = place();
    for (const event of [completed(visit, 4), reopened(visit, 5), reopened(visit, 5), completed(visit, 6), completed(visit, 6)])
      await running.consume(event);
    expect(await stampsOf(visit)).toEqual([{ status: 'approved', source: 'visit' }]);
    expect(await events(visit)).toEqual([
      ['customer.seen', null],
      ['stamp.approved', 1],
      ['stamp.undone', 0],
      ['stamp.approved', 1],
    ]);
  });

  test('leaves no stamp when its event arrives first, and an old completion changes nothing', async () => {
    const visit = place();
    await running.consume(reopened(visit, 5));
    await running.consume(completed(visit, 4));
    expect(await stampsOf(visit)).toEqual([]);
    await running.consume(completed(visit, 6));
    expect(await stampCount(visit)).toBe(1);
  });

  test('voids the unused voucher that the stamp completed, and leaves a debt for a used one', async () => {
    const [kept, used] = await Promise.all(
      [place(), place()].map(async (first) => {
        const second = place(shop, first.customerId);
        await running.consume(completed(first), completed(second));
        const [voucher] = (await shop.state(first.customerId ?? '')).body.active_vouchers as { id: string }[];
        return { second, customer_id: first.customerId ?? '', voucher_id: voucher?.id };
      }),
    );
    if (!kept || !used) throw new Error('two customers');
    const redeemed = await shop.post('redemptions', { store_id: shop.storeId, customer_id: used.customer_id, voucher_id: used.voucher_id });
    expect(redeemed.status).toBe(200);
    await running.consume(reopened(kept.second), reopened(used.second));
    expect((await shop.state(kept.customer_id)).body).toMatchObject({ stamp_count: 1, active_vouchers: [] });
    expect((await events(kept.second)).map(([type]) => type).slice(-2)).toEqual(['stamp.undone', 'voucher.voided']);
    await running.consume(completed(place(shop, used.customer_id)));
    expect((await shop.state(used.customer_id)).body).toMatchObject({ stamp_count: 0, active_vouchers: [] });
    await running.consume(completed(used.second, 6));
    expect((await shop.state(used.customer_id)).body).toMatchObject({ stamp_count: 1, active_vouchers: [] });
  });

  test('takes the stamp back also where the programme rewards something else by then', async () => {
    const changing = await openShop(running, { driver: 'visits' });
    const visit = place(changing);
    await running.consume(completed(visit));
    await running.consume(programmeOf(changing.storeId, { driver: 'orders', version: 2 }));
    await running.consume(reopened(visit));
    expect(await stampCount(visit, changing)).toBe(0);
  });
});

describe('what a programme rewards decides what earns stamps by itself', () => {
  test.each([
    ['orders', 1, 0],
    ['visits', 0, 1],
    ['membership', 0, 0],
  ] as const)('%s: an order earns %i, a visit %i, and a granted stamp always counts', async (driver, ofOrder, ofVisit) => {
    const at = await openShop(running, { driver, goal: 5 });
    const [buyer, visit] = [randomUUID(), place(at)];
    const memberships = [{ store_id: at.storeId, status: 'active', plan_name: 'Gold' }];
    await running.consume(customerOf(buyer, { memberships }));
    await at.pay(buyer);
    await running.consume(completed(visit));
    expect((await at.state(buyer)).body).toMatchObject({ stamp_count: ofOrder, order_count: 1, driver, membership: { plan_name: 'Gold' } });
    expect(await stampCount(visit, at)).toBe(ofVisit);
    expect((await at.grant(buyer)).body.current_stamps).toBe(ofOrder + 1);
  });
});

test('visits of customers at stores that do not reward them take two statements, however many there are', async () => {
  const plain = await openShop(running);
  const visits = Array.from({ length: 3 }, () => place(plain));
  await running.consume(...visits.map((of) => completed(of)));
  const tasks = visits.map(({ ref: entry_ref, storeId: store_id, customerId: customer_id }) => ({
    task: { entry_ref, store_id, customer_id, ...more },
    within: <T>(work: () => T): T => work(),
  }));
  running.statements.length = 0;
  await running.service.database.transaction((tx) => stampVisits(tasks, tx));
  expect(running.statements).toHaveLength(2);
});

const more = { position: null, hold_until: null, left_by: null, by_id: null, at: '2026-05-01T10:59:00.000000Z', sequence: 9 };
