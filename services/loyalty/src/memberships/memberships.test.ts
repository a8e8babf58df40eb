import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { customerOf } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';
import { announceMemberships } from './entry-points.ts';

let running: Running;
let shop: Shop;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  shop = await openShop(running, { goal: 3, driver: 'membership' });
});
afterAll(async () => await running[Symbol.asyncDispose]());

/** Returns snapshots of a new customer, each with the membership it is given; the first one has none. */
async function someCustomer() {
  const id = randomUUID();
  let version = 1;
  await running.consume(customerOf(id));
  return {
    id,
    async is(current_period_end: string | null, status = 'active') {
      version += 1;
      await running.consume(
        customerOf(id, { version, memberships: [{ store_id: shop.storeId, status, plan_name: 'Regulars', current_period_end }] }),
      );
    },
    async isNoMember() {
      version += 1;
      await running.consume(customerOf(id, { version, memberships: [] }));
    },
    stamps: async () => (await shop.state(id)).body.stamp_count as number,
  };
}

const Said = z.object({ type: z.string(), sequence: z.number(), ends: z.string().nullable() });
const said = async (customerId: string) =>
  (
    await running.service.database.any(sql.type(Said)`
      select type, aggregate_sequence as sequence, data ->> 'current_period_end' as ends from outbox
      where aggregate_id = ${`membership:${shop.storeId}:${customerId}`} order by aggregate_sequence`)
  ).map(({ type, ends }) => [type.replace('membership.', ''), ends?.slice(0, 10) ?? null]);

const announce = () => announceMemberships(running.service.context);

describe('a membership', () => {
  test('begins, goes on and ends as the directory publishes it, each said once', async () => {
    const member = await someCustomer();
    await member.is('2026-06-01T00:00:00Z');
    await member.is('2026-06-01T00:00:00Z');
    await member.is('2026-07-01T00:00:00Z');
    await member.is('2026-07-01T00:00:00Z', 'canceled');
    await member.isNoMember();
    await member.is(null);
    expect(await said(member.id)).toEqual([
      ['begun', '2026-06-01'],
      ['renewed', '2026-07-01'],
      ['ended', '2026-07-01'],
      ['begun', null],
    ]);
  });

  test('that a customer comes with has begun before: nothing is said of it, and its renewal is', async () => {
    const id = randomUUID();
    const given = (version: number, current_period_end: string) =>
      customerOf(id, { version, memberships: [{ store_id: shop.storeId, status: 'active', plan_name: null, current_period_end }] });
    await running.consume(given(3, '2026-06-01T00:00:00Z'));
    await running.consume(given(2, '2026-05-01T00:00:00Z'));
    expect(await said(id)).toEqual([]);
    expect((await shop.state(id)).body.stamp_count).toBe(0);
    await running.consume(given(4, '2026-07-01T00:00:00Z'));
    expect(await said(id)).toEqual([['renewed', '2026-07-01']]);
  });

  test('is said to end seven days before, once for each period, and to have ended a day after, unless it goes on', async () => {
    const [ends, goesOn] = [await someCustomer(), await someCustomer()];
    for (const member of [ends, goesOn]) await member.is('2026-06-01T00:00:00Z');
    running.clock.set('2026-05-24T23:59:59Z');
    await announce();
    expect(await said(ends.id)).toHaveLength(1);
    running.clock.set('2026-05-25T00:00:00Z');
    await Promise.all([announce(), announce()]);
    running.clock.set('2026-06-01T00:00:01Z');
    await announce();
    await goesOn.is('2026-07-01T00:00:00Z');
    running.clock.set('2026-06-02T00:00:00Z');
    await announce();
    await announce();
    expect(await said(ends.id)).toEqual([
      ['begun', '2026-06-01'],
      ['ending', '2026-06-01'],
      ['ended', '2026-06-01'],
    ]);
    expect(await said(goesOn.id)).toEqual([
      ['begun', '2026-06-01'],
      ['ending', '2026-06-01'],
      ['renewed', '2026-07-01'],
    ]);
  });

  test('whose renewal is late goes on for a day, whatever a snapshot says meanwhile, and begins again after it', async () => {
    const [late, tooLate, stops] = [await someCustomer(), await someCustomer(), await someCustomer()];
    for (const member of [late, tooLate, stops]) await member.is('2026-06-01T00:00:00Z');
    running.clock.set('2026-06-01T23:59:59Z');
    for (const member of [late, tooLate]) await member.is('2026-06-01T00:00:00Z');
    await stops.is('2026-06-01T00:00:00Z', 'canceled');
    await late.is('2026-07-01T00:00:00Z');
    running.clock.set('2026-06-02T00:00:00Z');
    await tooLate.is('2026-06-01T00:00:00Z');
    await tooLate.is('2026-07-01T00:00:00Z');
    const begun = ['begun', '2026-06-01'];
    expect(await said(late.id)).toEqual([begun, ['renewed', '2026-07-01']]);
    expect(await said(tooLate.id)).toEqual([begun, ['ended', '2026-06-01'], ['begun', '2026-07-01']]);
    expect(await said(stops.id)).toEqual([begun, ['ended', '2026-06-01']]);
  });

  test('is what proves the stamp of its period, in its event and in the count of its store', async () => {
    const member = await someCustomer();
    await member.is('2026-06-01T00:00:00Z');
    const Proof = z.object({ evidence: z.string() });
    expect(
      await running.service.database.anyFirst(sql.type(Proof)`
        select data ->> 'evidence' as evidence from outbox where type = 'stamp.approved' and data ->> 'customer_id' = ${member.id}`),
    ).toEqual(['membership']);
    const asked = `evidence?${new URLSearchParams({ store_id: shop.storeId, from: '2026-05-01', to: '2026-05-01' })}`;
    expect((await shop.get(asked)).body).toMatchObject({ proved: 0, evidence: [{ evidence: 'membership', stamps: 1 }] });
  });

  test('earns a stamp for each period, once, where the programme rewards it', async () => {
    const member = await someCustomer();
    await member.is('2026-06-01T00:00:00Z');
    await member.is('2026-06-01T00:00:00Z');
    expect(await member.stamps()).toBe(1);
    await member.is('2026-06-01T00:00:00Z', 'canceled');
    await member.is('2026-06-01T00:00:00Z');
    expect(await member.stamps()).toBe(1);
    await member.is('2026-07-01T00:00:00Z');
    await member.is('2026-08-01T00:00:00Z');
    expect((await shop.state(member.id)).body).toMatchObject({ stamp_count: 0, active_vouchers: [{}] });
    // A period that is paid is no visit: it opens no contact data.
    expect((await shop.state(member.id)).body).toMatchObject({ last_visit_at: null, email: null });
  });

  test('earns nothing where the programme rewards something else', async () => {
    shop = await openShop(running, { goal: 3, driver: 'visits' });
    const member = await someCustomer();
    await member.is('2026-06-01T00:00:00Z');
    expect(await member.stamps()).toBe(0);
    expect(await said(member.id)).toEqual([['begun', '2026-06-01']]);
  });
});
