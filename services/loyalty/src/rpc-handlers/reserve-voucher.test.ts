import { randomUUID } from 'node:crypto';
import { releaseVoucher, reserveVoucher } from '@corner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { expireVouchers } from '../jobs/expire-vouchers.ts';
import { expiredEvent, type Paid, paidEvent, paidOrder, refundEvent } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running, { goal: 1, voucher_days: 30, reward: { kind: 'percent', value: 20 } });
});
beforeEach(() => running.clock.set('2026-05-01T11:00:00Z'));
afterAll(async () => await running[Symbol.asyncDispose]());

/** A customer with a voucher, and an order that would use it. */
async function withVoucher(at: Shop = shop): Promise<{ customer: string; voucherId: string; order: Paid }> {
  const customer = randomUUID();
  await at.grant(customer);
  const [voucher] = (await at.state(customer)).body.active_vouchers;
  return { customer, voucherId: voucher.id, order: paidOrder(at.storeId, customer, { voucher_id: voucher.id, net_of_tip_pence: 0 }) };
}
const until = '2026-05-01T11:25:00Z';
const reservationOf = ({ order_id, store_id, customer_id, voucher_id }: Paid) => ({
  order_id,
  store_id,
  customer_id,
  voucher_id: voucher_id ?? '',
});
const reserve = (order: Paid, more: Partial<Paid> = {}) => running.call(reserveVoucher, { ...reservationOf({ ...order, ...more }), until });
const release = ({ order_id, store_id, voucher_id }: Paid) =>
  running.call(releaseVoucher, { order_id, store_id, voucher_id: voucher_id ?? '' });
const statusOf = (id: string) =>
  running.service.database.oneFirst(sql.type(z.object({ status: z.string() }))`select status from voucher where id = ${id}`);
const voucherEvents = async (customer: string) =>
  (await shop.events(customer)).map(({ type }) => type).filter((type) => type.startsWith('voucher'));

describe('a reserved voucher', () => {
  test('returns its reward, the same when repeated, and is no longer shown as active', async () => {
    const { customer, voucherId, order } = await withVoucher();
    const first = await reserve(order);
    expect(first.output).toEqual({
      voucher_id: voucherId,
      voucher_type: 'reward',
      value_kind: 'percent',
      value: 20,
      item_id: null,
      reward_title: 'A coffee',
    });
    expect(await reserve(order)).toEqual(first);
    expect((await shop.state(customer)).body.active_vouchers).toEqual([]);
  });

  test('goes to one of many concurrent orders', async () => {
    const { order } = await withVoucher();
    const responses = await Promise.all(Array.from({ length: 10 }, () => reserve(order, { order_id: randomUUID() })));
    expect(responses.filter(({ output }) => output)).toHaveLength(1);
    expect(responses.filter(({ problem }) => problem === 'VOUCHER_RESERVED')).toHaveLength(9);
  });

  test('is released by its own order only', async () => {
    const { voucherId, order } = await withVoucher();
    await reserve(order);
    expect((await release({ ...order, order_id: randomUUID() })).output).toEqual({ released: false });
    expect(await statusOf(voucherId)).toBe('reserved');
    expect((await release(order)).output).toEqual({ released: true });
    expect((await release(order)).output).toEqual({ released: false });
    expect(await statusOf(voucherId)).toBe('active');
  });

  test('is released when its order expires, unless the order was paid before', async () => {
    const { voucherId, order } = await withVoucher();
    await reserve(order);
    await running.consume(expiredEvent({ ...order, order_id: randomUUID() }));
    expect(await statusOf(voucherId)).toBe('reserved');
    await running.consume(expiredEvent(order));
    expect(await statusOf(voucherId)).toBe('active');
    await reserve(order);
    await running.consume(paidEvent(order), expiredEvent(order, 1));
    expect(await statusOf(voucherId)).toBe('redeemed');
  });

  test('is kept from a copy of an older call that a frozen replica processes late', async () => {
    const { voucherId, order } = await withVoucher();
    const asked = (call: 'reserve' | 'release', asked_at: string) =>
      call === 'reserve'
        ? running.call(reserveVoucher, { ...reservationOf(order), until, asked_at })
        : running.call(releaseVoucher, { order_id: order.order_id, store_id: order.store_id, voucher_id: voucherId, asked_at });
    await asked('reserve', '2026-05-01T11:00:00.000Z');
    await asked('release', '2026-05-01T11:00:00.100Z');
    expect((await asked('reserve', '2026-05-01T11:00:00.000Z')).problem).toBe('VOUCHER_RESERVED');
    expect(await statusOf(voucherId)).toBe('active');
    await asked('reserve', '2026-05-01T11:00:00.200Z');
    expect((await asked('release', '2026-05-01T11:00:00.100Z')).output).toEqual({ released: false });
    expect(await statusOf(voucherId)).toBe('reserved');
  });

  test('is active again after its time, and not before', async () => {
    const { voucherId, order } = await withVoucher();
    await reserve(order);
    running.clock.set('2026-05-01T11:24:59Z');
    await expireVouchers(running.service.context);
    expect(await statusOf(voucherId)).toBe('reserved');
    running.clock.set('2026-05-01T11:25:01Z');
    await expireVouchers(running.service.context);
    expect(await statusOf(voucherId)).toBe('active');
  });
});

describe('a reservation is refused', () => {
  test('for another customer’s, another store’s and an unknown voucher, with the same problem', async () => {
    const { order } = await withVoucher();
    for (const more of [{ customer_id: randomUUID() }, { store_id: randomUUID() }, { voucher_id: randomUUID() }])
      expect((await reserve(order, more)).problem).toBe('VOUCHER_NOT_FOUND');
  });

  test('for a redeemed voucher', async () => {
    const { order } = await withVoucher();
    await running.consume(paidEvent(order));
    expect((await reserve(order, { order_id: randomUUID() })).problem).toBe('VOUCHER_ALREADY_REDEEMED');
  });

  test('for an expired voucher, before and after the job has marked it', async () => {
    const { order } = await withVoucher();
    running.clock.set('2026-06-01T00:00:00Z');
    expect((await reserve(order)).problem).toBe('VOUCHER_EXPIRED');
    await expireVouchers(running.service.context);
    expect((await reserve(order)).problem).toBe('VOUCHER_EXPIRED');
  });

  test('for a voided voucher', async () => {
    const customer = randomUUID();
    const earning = await shop.pay(customer);
    const [{ id }] = (await shop.state(customer)).body.active_vouchers;
    await running.consume(refundEvent(earning, 3));
    expect((await reserve(paidOrder(shop.storeId, customer, { voucher_id: id }))).problem).toBe('VOUCHER_VOIDED');
  });
});

describe('a paid order’s voucher', () => {
  test('is redeemed once, and active again after a full refund', async () => {
    const { customer, voucherId, order } = await withVoucher();
    await reserve(order);
    await running.consume(paidEvent(order), paidEvent(order));
    expect(await statusOf(voucherId)).toBe('redeemed');
    await running.consume(refundEvent(order, 3, 400));
    expect(await statusOf(voucherId)).toBe('redeemed');
    await running.consume(refundEvent(order, 4));
    expect((await shop.state(customer)).body.active_vouchers).toMatchObject([{ id: voucherId }]);
    expect(await voucherEvents(customer)).toEqual(['voucher.minted', 'voucher.redeemed', 'voucher.restored']);
  });

  test('is active again when the full refund arrives before the payment', async () => {
    const { voucherId, order } = await withVoucher();
    await reserve(order);
    await running.consume(refundEvent(order, 3), paidEvent(order));
    expect(await statusOf(voucherId)).toBe('active');
  });

  test('is expired when it is given back after its last day', async () => {
    const { customer, voucherId, order } = await withVoucher();
    await running.consume(paidEvent(order));
    running.clock.set('2026-06-01T00:00:00Z');
    await running.consume(refundEvent(order, 3));
    expect(await statusOf(voucherId)).toBe('expired');
    expect(await voucherEvents(customer)).toEqual(['voucher.minted', 'voucher.redeemed', 'voucher.expired']);
  });

  test('is redeemed also when its reservation lapsed before the payment', async () => {
    const { voucherId, order } = await withVoucher();
    await reserve(order);
    running.clock.set('2026-05-01T11:40:00Z');
    await expireVouchers(running.service.context);
    await running.consume(paidEvent(order));
    expect(await statusOf(voucherId)).toBe('redeemed');
  });
});

describe('a voucher lasts to the end of its last day by the store’s clock', () => {
  test.each([
    ['Europe/London', '2026-03-28T12:00:00Z', '2026-03-29T22:59:59.000000Z'],
    ['Europe/London', '2026-10-24T12:00:00Z', '2026-10-25T23:59:59.000000Z'],
    ['Europe/London', '2026-03-28T23:59:00Z', '2026-03-29T22:59:59.000000Z'],
    ['Australia/Sydney', '2026-04-04T12:00:00Z', '2026-04-05T13:59:59.000000Z'],
    ['America/New_York', '2026-11-01T03:30:00Z', '2026-11-02T04:59:59.000000Z'],
  ])('in %s, a one-day voucher minted at %s expires at %s', async (zone, at, expires) => {
    running.clock.set(at);
    const here = await openShop(running, { goal: 1, voucher_days: 1 }, { time_zone: zone });
    const { customer, voucherId } = await withVoucher(here);
    expect((await here.state(customer)).body.active_vouchers[0].expires_at).toBe(expires);
    running.clock.set(expires);
    await expireVouchers(running.service.context);
    expect(await statusOf(voucherId)).toBe('active');
    running.clock.advance({ seconds: 1 });
    expect((await here.state(customer)).body.active_vouchers).toEqual([]);
    await Promise.all([expireVouchers(running.service.context), expireVouchers(running.service.context)]);
    expect((await here.events(customer)).map(({ type }) => type).filter((type) => type === 'voucher.expired')).toHaveLength(1);
  });
});
