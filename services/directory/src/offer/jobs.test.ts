import { until } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { newestSnapshot } from '../testing/published.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';
import { renewTemplates } from './jobs.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning({ at: '2026-03-01T12:00:00Z' });
});
afterAll(async () => await running[Symbol.asyncDispose]());

const everyDay = { days: [1, 2, 3, 4, 5, 6, 7], from: '09:00', to: '10:00' };

async function openWithTemplate(settings: object = {}): Promise<Shop> {
  const shop = await openShop(running, settings);
  expect((await shop.patch('/slots', { template: [{ ...everyDay, every_minutes: 60 }] })).status).toBe(200);
  return shop;
}

const renew = () => renewTemplates(running.service.context);
const daysOf = async ({ storeId }: Shop) => {
  const { data } = await newestSnapshot(running, 'slots', storeId);
  return data.slots.map(({ starts_at }: { starts_at: string }) => starts_at.slice(0, 10)) as string[];
};
const sequenceOf = async ({ storeId }: Shop) => (await newestSnapshot(running, 'slots', storeId)).sequence;
const none = z.object({});

describe('renewing templates', () => {
  test('publishes a further day after the midnight of the store, once, and its version as an object of edits stays', async () => {
    const shop = await openWithTemplate({ time_zone: 'America/New_York' });
    expect((await daysOf(shop)).at(-1)).toBe('2026-03-14');
    running.clock.set('2026-03-02T04:59:00Z');
    await renew();
    expect(await sequenceOf(shop)).toBe(1);
    running.clock.set('2026-03-02T05:00:00Z');
    await Promise.all([renew(), renew()]);
    await renew();
    expect(await sequenceOf(shop)).toBe(2);
    expect((await daysOf(shop)).at(-1)).toBe('2026-03-15');
    expect((await shop.get('/slots')).body.version).toBe(1);
  });

  test('catches up after the service was down for twenty days', async () => {
    const shop = await openWithTemplate();
    const from = running.clock.now().getTime();
    running.clock.advance({ hours: 20 * 24 });
    await renew();
    const days = await daysOf(shop);
    const today = new Date(from + 20 * 86_400_000).toISOString().slice(0, 10);
    expect([days[0], days.length, await sequenceOf(shop)]).toEqual([today, 14, 2]);
  });

  test('leaves out a store that is being changed, and renews it with the next run', async () => {
    const [held, free] = [await openWithTemplate(), await openWithTemplate()];
    running.clock.advance({ hours: 24 });
    const { promise: changed, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
    const change = running.service.database.transaction(async (tx) => {
      await tx.query(sql.type(none)`select 1 from object where kind = 'store' and id = ${held.storeId} for update`);
      isLocked();
      await changed;
    });
    await locked;
    await renew();
    expect([await sequenceOf(held), await sequenceOf(free)]).toEqual([1, 2]);
    letGo();
    await change;
    await renew();
    expect(await sequenceOf(held)).toBe(2);
  });

  test('goes on after a store that fails, and reports it', async () => {
    const [broken, whole] = [await openWithTemplate(), await openWithTemplate()];
    const setZone = (zone: string) =>
      running.service.database.query(sql.type(none)`
        update object set data = data || jsonb_build_object('time_zone', ${zone}::text) where kind = 'store' and id = ${broken.storeId}`);
    await setZone('Mars/Olympus');
    running.clock.advance({ hours: 24 });
    await expect(renew()).rejects.toThrow(broken.storeId);
    expect(await sequenceOf(whole)).toBe(2);
    await until(async () => running.lines.some(({ store_id }) => store_id === broken.storeId), { describe: 'the store to be logged' });
    await setZone('Europe/London');
    await renew();
    expect(await sequenceOf(broken)).toBe(2);
  });
});

describe('a change of the store', () => {
  test('moves its slots at once: a closure takes them away and gives them back, a zone moves them', async () => {
    running.clock.set('2026-06-01T05:00:00Z');
    const shop = await openWithTemplate({ time_zone: 'Europe/London' });
    const firstStart = async () => (await newestSnapshot(running, 'slots', shop.storeId)).data.slots[0].starts_at;
    expect(await firstStart()).toBe('2026-06-01T08:00:00.000Z');
    const closures = [{ starts_at: '2026-06-01T08:30:00Z', ends_at: '2026-06-03T00:00:00Z' }];
    expect((await shop.patch('', { closures })).status).toBe(200);
    expect(await firstStart()).toBe('2026-06-03T08:00:00.000Z');
    expect((await shop.patch('', { closures: [], time_zone: 'Europe/Paris' })).status).toBe(200);
    expect(await firstStart()).toBe('2026-06-01T07:00:00.000Z');
    expect((await shop.patch('', { name: 'Corner Tea' })).status).toBe(200);
    expect(await sequenceOf(shop)).toBe(3);
  });
});
