import { randomUUID } from 'node:crypto';
import { reserveVoucher } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refundEvent } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running, { goal: 2 });
});
afterAll(async () => await running[Symbol.asyncDispose]());

const types = async (customer: string) => (await shop.events(customer)).map(({ type }) => type);

describe('redeeming a voucher at the counter', () => {
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
    expect(redeemed.map(({ body }) => body)).toEqual([{ voucher_id: voucher.id, redemption_code: voucher.code, reward_title: 'A coffee' }]);
    expect(responses.filter(({ body }) => body.error?.code === 'VOUCHER_ALREADY_REDEEMED')).toHaveLength(7);
    expect((await types(customer)).filter((type) => type === 'voucher.redeemed')).toHaveLength(1);
  });

  test('is refused while an unpaid order has reserved it, for another customer, and after its last day', async () => {
    const { customer, voucher } = await withVoucher();
    expect((await redeem(randomUUID(), voucher.id)).body.error.code).toBe('VOUCHER_NOT_FOUND');
    const held = { order_id: randomUUID(), voucher_id: voucher.id, customer_id: customer, store_id: shop.storeId };
    await running.call(reserveVoucher, { ...held, until: '2026-05-01T11:25:00Z' });
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
