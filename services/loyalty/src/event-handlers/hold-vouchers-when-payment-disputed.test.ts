import { randomUUID } from 'node:crypto';
import { reserveVoucher } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { disputedEvent, paidEvent, paidOrder, refundEvent } from '../testing/events.ts';
import { refusalOf } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running, { goal: 2 });
});
afterAll(async () => await running[Symbol.asyncDispose]());

const vouchers = async (customerId: string) => (await shop.state(customerId)).body.active_vouchers;
const redeem = (customer_id: string, voucher_id: string) => shop.post('redemptions', { store_id: shop.storeId, customer_id, voucher_id });
const reserve = (customer_id: string, voucher_id: string) =>
  running.call(reserveVoucher, {
    order_id: randomUUID(),
    voucher_id,
    customer_id,
    store_id: shop.storeId,
    until: '2026-05-01T12:00:00Z',
  });

/** A customer whose second order completed a voucher. */
async function earned() {
  const customer = randomUUID();
  const [first, second] = [await shop.pay(customer), await shop.pay(customer)];
  const [voucher] = await vouchers(customer);
  return { customer, first, second, voucher: voucher.id as string };
}

describe('while an order’s payment is disputed', () => {
  test.each(['first', 'second'] as const)('the voucher of the %s order’s stamp cannot be used until the dispute is over', async (which) => {
    const { customer, voucher, ...orders } = await earned();
    await running.consume(disputedEvent(orders[which], 5));
    const response = await redeem(customer, voucher);
    expect([response.status, response.body.error]).toEqual([
      409,
      expect.objectContaining({ code: 'VOUCHER_RESERVED', message: expect.stringMatching(/disputed/) }),
    ]);
    expect(await reserve(customer, voucher)).toMatchObject({ problem: 'VOUCHER_RESERVED' });
    await running.consume(disputedEvent(orders[which], 6, 'won'));
    expect((await redeem(customer, voucher)).status).toBe(200);
  });

  test('another voucher of the same customer can be used', async () => {
    const { customer, first, voucher } = await earned();
    await shop.grant(customer);
    await shop.grant(customer);
    await running.consume(disputedEvent(first, 5));
    const other = (await vouchers(customer)).find(({ id }: { id: string }) => id !== voucher);
    expect((await redeem(customer, other.id)).status).toBe(200);
    expect(await refusalOf(redeem(customer, voucher))).toEqual([409, 'VOUCHER_RESERVED']);
  });

  test('a voucher that a later stamp completes cannot be used either', async () => {
    const customer = randomUUID();
    const order = await shop.pay(customer);
    await running.consume(disputedEvent(order, 5));
    await shop.grant(customer);
    const [voucher] = await vouchers(customer);
    expect(await refusalOf(redeem(customer, voucher.id))).toEqual([409, 'VOUCHER_RESERVED']);
  });

  test('the event with the highest sequence wins, also when it arrives before the payment', async () => {
    const customer = randomUUID();
    const order = paidOrder(shop.storeId, customer);
    await running.consume(disputedEvent(order, 6, 'won'), disputedEvent(order, 5), paidEvent(order));
    await shop.grant(customer);
    const [voucher] = await vouchers(customer);
    await running.consume(disputedEvent(order, 7));
    expect(await refusalOf(redeem(customer, voucher.id))).toEqual([409, 'VOUCHER_RESERVED']);
    await running.consume(disputedEvent(order, 6, 'won'));
    expect(await refusalOf(redeem(customer, voucher.id))).toEqual([409, 'VOUCHER_RESERVED']);
    await running.consume(disputedEvent(order, 8, 'won'));
    expect((await redeem(customer, voucher.id)).status).toBe(200);
  });

  test('a full refund still voids the voucher', async () => {
    const { customer, second, voucher } = await earned();
    await running.consume(disputedEvent(second, 5), refundEvent(second, 6));
    expect(await refusalOf(redeem(customer, voucher))).toEqual([409, 'VOUCHER_VOIDED']);
  });

  test('a voucher past its last day is refused as expired', async () => {
    const { customer, first, voucher } = await earned();
    await running.consume(disputedEvent(first, 5));
    running.clock.advance({ days: 200 });
    expect(await refusalOf(redeem(customer, voucher))).toEqual([409, 'VOUCHER_EXPIRED']);
  });
});
