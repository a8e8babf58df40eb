import { randomUUID } from 'node:crypto';
import { awardOrder, type RpcCallInput, readOrderStamps } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Paid, paidOrder, refundEvent } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;

beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running, { min_spend_pence: 500 });
});
afterAll(async () => await running[Symbol.asyncDispose]());

const stampsOf = async ({ order_id, customer_id }: Paid, more: Partial<RpcCallInput<typeof readOrderStamps>> = {}) =>
  (await running.call(readOrderStamps, { order_id, customer_id, voucher_id: null, ...more })).output;

describe('loyalty.order-story', () => {
  test('an order that is not awarded yet has no award, also after its refund', async () => {
    const paid = paidOrder(shop.storeId, randomUUID());
    expect(await stampsOf(paid)).toEqual({ award: null, stamps: [], lost: false, voucher: null });
    await running.consume(refundEvent(paid, 3));
    expect(await stampsOf(paid)).toMatchObject({ award: null, stamps: [] });
  });

  test('an order that earned a stamp has it, and after a full refund when it was taken back', async () => {
    const paid = await shop.pay(randomUUID());
    expect(await stampsOf(paid)).toMatchObject({ award: { awarded: true }, stamps: [{ taken_back_at: null }] });
    expect((await stampsOf(paid))?.award).not.toHaveProperty('no_stamp');
    running.clock.advance({ minutes: 1 });
    await running.consume(refundEvent(paid, 3));
    const [stamp] = (await stampsOf(paid))?.stamps ?? [];
    expect(stamp?.taken_back_at).toBe('2026-05-01T11:01:00.000000Z');
  });

  test('an order below the minimum spend has the reason with the minimum as it was, and a repeat of its award has the same', async () => {
    const own = await openShop(running, { min_spend_pence: 500 });
    const paid = await own.pay(randomUUID(), { net_of_tip_pence: 499 });
    const no_stamp = { reason: 'below_min_spend', min_spend_pence: 500 };
    await openShop(running, { min_spend_pence: 1, version: 2 }, { version: 2 }, own.storeId);
    expect(await stampsOf(paid)).toMatchObject({ award: { awarded: false, no_stamp }, stamps: [] });
    expect((await running.call(awardOrder, paid)).output).toMatchObject({ awarded: false, no_stamp });
  });

  test('an order that was refunded before its award has stamps that never counted', async () => {
    const paid = paidOrder(shop.storeId, randomUUID());
    await running.consume(refundEvent(paid, 3));
    await running.call(awardOrder, paid);
    const { award, stamps } = (await stampsOf(paid)) ?? {};
    expect(award).toMatchObject({ awarded: false, no_stamp: { reason: 'refunded' } });
    expect(stamps).toEqual([{ given_at: stamps?.[0]?.given_at, taken_back_at: stamps?.[0]?.given_at }]);
  });

  test('an order or a voucher of another customer has nothing', async () => {
    const paid = await shop.pay(randomUUID());
    expect(await stampsOf(paid, { customer_id: randomUUID() })).toEqual({ award: null, stamps: [], lost: false, voucher: null });
  });

  test('takes one statement', async () => {
    const paid = await shop.pay(randomUUID());
    running.statements.length = 0;
    await stampsOf(paid);
    expect(running.statements).toHaveLength(1);
  });
});
