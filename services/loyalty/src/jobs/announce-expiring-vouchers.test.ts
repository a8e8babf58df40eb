import { randomUUID } from 'node:crypto';
import { reserveVoucher } from '@corner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';
import { announceExpiringVouchers } from './announce-expiring-vouchers.ts';
import { expireVouchers } from './expire-vouchers.ts';

const noon = '2026-05-01T11:00:00Z';
let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning({ at: noon });
  shop = await openShop(running, { goal: 1, voucher_days: 30 });
});
beforeEach(() => running.clock.set(noon));
afterAll(async () => await running[Symbol.asyncDispose]());

/** A customer with a voucher at a shop. */
async function withVoucher(at = shop) {
  const customer = randomUUID();
  await at.grant(customer);
  const [voucher] = (await at.state(customer)).body.active_vouchers as { id: string; code: string; expires_at: string }[];
  if (!voucher) throw new Error('no voucher was minted');
  return { customer, voucher };
}
/** Runs the job, and returns the card's announcements so far. */
async function announced(customer: string, at = shop) {
  await announceExpiringVouchers(running.service.context);
  return (await at.events(customer)).filter(({ type }) => type === 'voucher.expiring').map(({ data }) => data);
}
/** Moves the clock to a time before the voucher's last moment. */
const moveTo = (before: { readonly days: number; readonly seconds?: number }, { expires_at }: { readonly expires_at: string }) =>
  running.clock.set(new Date(Date.parse(expires_at) - before.days * 86_400_000 - (before.seconds ?? 0) * 1_000).toISOString());

describe('a voucher is announced as expiring', () => {
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
    await running.call(reserveVoucher, reservation);
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
