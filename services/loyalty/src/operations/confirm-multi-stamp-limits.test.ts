import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { programmeOf } from '../testing/events.ts';
import { holdOpen, waitsForLock } from '../testing/held-lock.ts';
import { type AtCounter, addStaff, atCounter, refusalOf } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop, withoutProof } from '../testing/shop.ts';

const noon = '2026-05-01T11:00:00Z';
let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning({ at: noon });
  shop = await openShop(
    running,
    { ...withoutProof, goal: 3, reward_title: 'A coffee' },
    { name: 'Corner', code: 'C1', branding: { logo_url: 'https://cdn.test/l.png', primary_color: '#112233', stamp_visual: 'bean' } },
  );
});
beforeEach(() => running.clock.set(noon));
afterAll(async () => await running[Symbol.asyncDispose]());

const stampsOf = async ({ id }: AtCounter, at = shop) => (await at.state(id)).body;

describe('the limits of a confirmation', () => {
  test('apply the monthly ceiling that is current when the locks are held', async () => {
    const here = await openShop(running, { ...withoutProof, goal: 10, multi_stamp: { ...withoutProof.multi_stamp, monthly_ceiling: 6 } });
    const ana = await atCounter(running, here, await addStaff(running, here));
    await ana.request(3);
    expect((await ana.confirm()).status).toBe(200);
    await ana.request(3);
    const { database } = running.service;
    const release = await holdOpen(
      database,
      sql.type(z.object({}))`
        update programme set settings = jsonb_set(settings, '{multi_stamp,monthly_ceiling}', '5') where store_id = ${here.storeId}`,
    );
    const confirmed = ana.confirm();
    await waitsForLock(database, 'for update of p');
    await release();
    const { body } = await confirmed;
    expect(body.error.code).toBe('MULTI_STAMP_MONTHLY_CEILING');
    expect((await stampsOf(ana, here)).stamp_count).toBe(3);
    await running.consume(
      programmeOf(here.storeId, { version: 2, goal: 10, multi_stamp: { ...withoutProof.multi_stamp, monthly_ceiling: 6 } }),
    );
    expect((await ana.confirm()).body).toMatchObject({ current_stamps: 6 });
  });

  test('count its stamps toward the plan’s quota, unlike those of orders, and refuse what exceeds it', async () => {
    const here = await openShop(running, { ...withoutProof, goal: 10, monthly_stamp_quota: 4 });
    const ana = await atCounter(running, here, await addStaff(running, here));
    await here.pay(randomUUID());
    await here.grant(ana.id);
    expect(await refusalOf(ana.request(4))).toEqual([409, 'MONTHLY_LIMIT_REACHED']);
    await ana.request(3);
    await here.grant(ana.id);
    expect(await refusalOf(ana.confirm())).toEqual([409, 'MONTHLY_LIMIT_REACHED']);
    await ana.cancel((await ana.status()).body.request.id);
    await ana.request(2);
    expect((await ana.confirm()).status).toBe(200);
    expect(await refusalOf(here.grant(ana.id))).toEqual([409, 'MONTHLY_LIMIT_REACHED']);
  });

  // London sets its clocks forward on 29 March 2026: that day has 23 hours, and ends at 23:00 UTC.
  test('do not count its stamps toward the customer’s day, also on the day the clocks change', async () => {
    running.clock.set('2026-03-28T23:59:00Z');
    const here = await openShop(running, { ...withoutProof, goal: 50, daily_stamp_limit: 1 });
    const ana = await atCounter(running, here, await addStaff(running, here));
    await ana.request(5);
    expect((await ana.confirm()).status).toBe(200);
    expect((await here.grant(ana.id)).status).toBe(200);
    expect(await refusalOf(here.grant(ana.id))).toEqual([409, 'DAILY_LIMIT_REACHED']);
    running.clock.set('2026-03-29T00:00:00Z');
    expect((await here.grant(ana.id)).status).toBe(200);
    running.clock.set('2026-03-29T22:59:59Z');
    expect(await refusalOf(here.grant(ana.id))).toEqual([409, 'DAILY_LIMIT_REACHED']);
    running.clock.set('2026-03-29T23:00:00Z');
    expect((await here.grant(ana.id)).status).toBe(200);
  });
});
