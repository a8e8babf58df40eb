import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { programmeOf } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { customerToken, openShop, type Shop, type TestResponse } from '../testing/shop.ts';
import { fieldsOf, tapOf } from '../testing/tags.ts';

const noon = '2026-05-10T11:00:00Z';
const uid = '04A1B2C3D4E5F6';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning({ at: noon });
  shop = await openShop(running, { tags: [{ uid }] }, { code: 'Main' });
});
beforeEach(() => running.clock.set(noon));
afterAll(async () => await running[Symbol.asyncDispose]());

let counter = 1_000;
const tapped = () => {
  counter += 1;
  return fieldsOf(tapOf(uid, counter));
};
const receipt = (more: object = {}) => ({
  receipt_id: randomUUID(),
  store_code: shop.storeId,
  tap_timestamp: '2026-05-10T09:00:00Z',
  ...tapped(),
  ...more,
});
const sync = async (customerId: string, stamps: readonly object[]): Promise<TestResponse> =>
  await shop.post('stamps/sync-offline', { stamps }, await customerToken(running, customerId));
const results = async (customerId: string, ...stamps: readonly object[]) => (await sync(customerId, stamps)).body.results;

describe('the limits of receipts', () => {
  test('apply to the day of the tap by the store’s clock, also on the day the clocks change', async () => {
    running.clock.set('2026-03-31T12:00:00Z');
    const london = await openShop(running, { daily_stamp_limit: 1 });
    const ana = randomUUID();
    const at = (tap_timestamp: string) => receipt({ store_code: london.storeId, tap_timestamp });
    const errors = async (...times: string[]) =>
      (await results(ana, ...times.map(at))).map((result: { error?: string }) => result.error ?? 'stamped');
    // 29 March has 23 hours in London, from 00:00Z to 23:00Z: a stamp at 23:00Z belongs to the next day.
    expect(await errors('2026-03-29T23:00:00Z', '2026-03-29T00:00:00Z', '2026-03-29T22:59:59.999Z')).toEqual([
      'stamped',
      'stamped',
      'daily_limit',
    ]);
    expect(await errors('2026-03-30T22:59:00Z', '2026-03-30T23:00:00Z', '2026-03-28T23:59:59.999Z')).toEqual([
      'daily_limit',
      'stamped',
      'stamped',
    ]);
    // 25 October has 25 hours, from 23:00Z the day before to 24:00Z.
    running.clock.set('2026-10-27T12:00:00Z');
    expect(await errors('2026-10-25T23:59:00Z', '2026-10-24T23:00:00Z', '2026-10-24T22:59:00Z', '2026-10-26T00:00:00Z')).toEqual([
      'stamped',
      'daily_limit',
      'stamped',
      'stamped',
    ]);
  });

  test('count pending stamps toward the day', async () => {
    const strict = await openShop(running, { daily_stamp_limit: 2 });
    const all = await results(randomUUID(), ...Array.from({ length: 3 }, () => receipt({ store_code: strict.storeId })));
    expect(all.map((result: TestResponse['body']) => result.stamp_status ?? result.error)).toEqual(['pending', 'pending', 'daily_limit']);
  });

  test('leave no trace of a refused receipt, which may succeed later with the same tap', async () => {
    const small = await openShop(running, { monthly_stamp_quota: 0, tags: [{ uid: '04000000000005' }] });
    const ana = randomUUID();
    const sent = receipt({ store_code: small.storeId, ...fieldsOf(tapOf('04000000000005', 1)) });
    expect((await results(ana, sent))[0]).toMatchObject({ success: false, error: 'monthly_limit' });
    expect(await small.events(ana)).toEqual([]);
    await running.consume(programmeOf(small.storeId, { monthly_stamp_quota: 1, version: 2, tags: [{ uid: '04000000000005' }] }));
    expect((await results(ana, sent))[0]).toMatchObject({ success: true, stamp_status: 'approved', duplicate: false });
  });

  test('apply to the month also when phones sync at once', async () => {
    const tags = [{ uid: '04000000000006' }];
    const small = await openShop(running, { monthly_stamp_quota: 4, tags });
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        results(randomUUID(), receipt({ store_code: small.storeId, ...fieldsOf(tapOf('04000000000006', n)) })),
      ),
    );
    expect(responses.filter(([result]) => result.success)).toHaveLength(4);
  });
});
