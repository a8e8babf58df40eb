// covers: redeemVoucher

import { randomUUID } from 'node:crypto';
import { releaseVoucher, reserveVoucher, voucherDetails } from '@corner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { expiredEvent, type Paid, paidEvent, paidOrder, refundEvent } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';
import { announceExpiringVouchers, expireVouchers } from './entry-points.ts';

const noon = '2026-05-01T11:00:00Z';

let running: Running;

beforeAll(async () => {
  running = await startRunning({ at: noon });
});

beforeEach(() => running.clock.set(noon));

afterAll(async () => await running[Symbol.asyncDispose]());

describe('reservations:', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(running, { goal: 1, voucher_days: 30, reward: { kind: 'percent', value: 20 } });
  });

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
    asked_at: running.clock.now().toISOString(),
  });

  const reserve = (order: Paid, more: Partial<Paid> = {}) =>
    running.call(reserveVoucher, { ...reservationOf({ ...order, ...more }), until });

  const release = ({ order_id, store_id, voucher_id }: Paid) =>
    running.call(releaseVoucher, { order_id, store_id, voucher_id: voucher_id ?? '', asked_at: running.clock.now().toISOString() });

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
});

test('a voucher’s code and its last day by the store’s clock are read by its customer and store alone', async () => {
  // One second to midnight in Auckland is noon of the same day in London.
  const shop = await openShop(running, { goal: 1, voucher_days: 10 }, { time_zone: 'Pacific/Auckland' });
  const customer = randomUUID();
  const { voucher_code: code } = (await shop.grant(customer)).body;
  const [voucher] = (await shop.state(customer)).body.active_vouchers;
  const of = { voucher_id: voucher.id, customer_id: customer, store_id: shop.storeId };
  expect((await running.call(voucherDetails, of)).output).toEqual({ code, expires_at: voucher.expires_at, last_day: '2026-05-11' });
  for (const other of [{ customer_id: randomUUID() }, { store_id: randomUUID() }, { voucher_id: randomUUID() }])
    expect((await running.call(voucherDetails, { ...of, ...other })).problem).toBe('VOUCHER_NOT_FOUND');
  expect(JSON.stringify(running.lines)).not.toContain(code);
});

describe('redeeming a voucher at the counter', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(running, { goal: 2 });
  });
  const types = async (customer: string) => (await shop.events(customer)).map(({ type }) => type);

  const redeem = (customer_id: string, voucher_id: string) => shop.post('redemptions', { store_id: shop.storeId, customer_id, voucher_id });
  const withVoucher = async () => {
    const customer = randomUUID();
    await shop.grant(customer);
    await shop.grant(customer);
    return { customer, voucher: (await shop.state(customer)).body.active_vouchers[0] };
  };

  test('succeeds once, however many requests are concurrent', async () => {
    const { customer, voucher } = await withVoucher();
    const responses = await Promise.all(Array.from({ length: 8 }, () => redeem(customer, voucher.id)));
    const redeemed = responses.filter(({ status }) => status === 200);
    expect(redeemed.map(({ body }) => body)).toMatchObject([
      { voucher_id: voucher.id, redemption_code: voucher.code, reward_title: 'A coffee' },
    ]);
    expect(responses.filter(({ body }) => body.error?.code === 'VOUCHER_ALREADY_REDEEMED')).toHaveLength(7);
    expect((await types(customer)).filter((type) => type === 'voucher.redeemed')).toHaveLength(1);
  });

  test('is refused while an unpaid order has reserved it, for another customer, and after its last day', async () => {
    const { customer, voucher } = await withVoucher();
    expect((await redeem(randomUUID(), voucher.id)).body.error.code).toBe('VOUCHER_NOT_FOUND');
    const held = { order_id: randomUUID(), voucher_id: voucher.id, customer_id: customer, store_id: shop.storeId };
    await running.call(reserveVoucher, { ...held, until: '2026-05-01T11:25:00Z', asked_at: running.clock.now().toISOString() });
    expect((await redeem(customer, voucher.id)).body.error.code).toBe('VOUCHER_RESERVED');
    const late = await withVoucher();
    running.clock.set('2026-08-01T00:00:00Z');
    expect((await redeem(late.customer, late.voucher.id)).body.error.code).toBe('VOUCHER_EXPIRED');
    running.clock.set('2026-05-01T11:00:00Z');
  });

  test('is refused for a voided voucher', async () => {
    const customer = randomUUID();
    const order = await shop.pay(customer);
    await shop.grant(customer);
    const [voucher] = (await shop.state(customer)).body.active_vouchers;
    await running.consume(refundEvent(order, 3));
    expect((await redeem(customer, voucher.id)).body.error.code).toBe('VOUCHER_VOIDED');
  });
});

describe('a voucher is announced as expiring', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(running, { goal: 1, voucher_days: 30 });
  });
  async function withVoucher(at = shop) {
    const customer = randomUUID();
    await at.grant(customer);
    const [voucher] = (await at.state(customer)).body.active_vouchers as { id: string; code: string; expires_at: string }[];
    if (!voucher) throw new Error('no voucher was minted');
    return { customer, voucher };
  }
  async function announced(customer: string, at = shop) {
    await announceExpiringVouchers(running.service.context);
    return (await at.events(customer)).filter(({ type }) => type === 'voucher.expiring').map(({ data }) => data);
  }
  const moveTo = (before: { readonly days: number; readonly seconds?: number }, { expires_at }: { readonly expires_at: string }) =>
    running.clock.set(new Date(Date.parse(expires_at) - before.days * 86_400_000 - (before.seconds ?? 0) * 1_000).toISOString());

  test('a week before its last moment and no second sooner, once, without its code', async () => {
    const { customer, voucher } = await withVoucher();
    moveTo({ days: 7, seconds: 1 }, voucher);
    expect(await announced(customer)).toEqual([]);
    moveTo({ days: 7 }, voucher);
    const [notice, ...more] = await announced(customer);
    expect([notice, more]).toMatchObject([
      { voucher_id: voucher.id, code_tail: voucher.code.slice(-4), expires_at: voucher.expires_at },
      [],
    ]);
    expect(JSON.stringify(notice)).not.toContain(voucher.code);
    moveTo({ days: 1 }, voucher);
    expect(await announced(customer)).toHaveLength(1);
  });

  test('as many days before as the programme says, and never where it says none or a voucher lasts no longer', async () => {
    const late = await openShop(running, { goal: 1, voucher_days: 30, voucher_expiring_days: 2 });
    const { customer, voucher } = await withVoucher(late);
    const never = [
      await openShop(running, { goal: 1, voucher_days: 30, voucher_expiring_days: 0 }),
      await openShop(running, { goal: 1, voucher_days: 7 }),
    ];
    const others = await Promise.all(never.map(async (at) => ({ at, ...(await withVoucher(at)) })));
    moveTo({ days: 3 }, voucher);
    expect(await announced(customer, late)).toEqual([]);
    moveTo({ days: 2 }, voucher);
    expect(await announced(customer, late)).toHaveLength(1);
    for (const other of others) {
      moveTo({ days: 0, seconds: 1 }, other.voucher);
      expect(await announced(other.customer, other.at)).toEqual([]);
    }
  });

  test('not while an order has it reserved, nor when it was used, but when the order gives it back', async () => {
    const [used, kept] = [await withVoucher(), await withVoucher()];
    await shop.post('redemptions', { store_id: shop.storeId, customer_id: used.customer, voucher_id: used.voucher.id });
    moveTo({ days: 7 }, kept.voucher);
    const until = new Date(running.clock.now().getTime() + 60_000).toISOString();
    const reservation = { order_id: randomUUID(), voucher_id: kept.voucher.id, customer_id: kept.customer, store_id: shop.storeId, until };
    await running.call(reserveVoucher, { ...reservation, asked_at: running.clock.now().toISOString() });
    expect([await announced(used.customer), await announced(kept.customer)]).toEqual([[], []]);
    running.clock.advance({ minutes: 2 });
    await expireVouchers(running.service.context);
    expect([await announced(used.customer), await announced(kept.customer)]).toMatchObject([[], [{ voucher_id: kept.voucher.id }]]);
  });

  test('not after its last day', async () => {
    const { customer, voucher } = await withVoucher();
    moveTo({ days: -1 }, voucher);
    expect(await announced(customer)).toEqual([]);
  });
});
