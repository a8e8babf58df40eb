import { randomUUID } from 'node:crypto';
import { awardOrder, reserveVoucher } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { disputedEvent, type Paid, paidEvent, paidOrder, programmeOf, refundEvent, refundFailedEvent } from '../testing/events.ts';
import { refusalOf } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});

afterAll(async () => await running[Symbol.asyncDispose]());

describe('refunds:', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(running);
  });

  const stamps = async (customer: string): Promise<number> => (await shop.state(customer)).body.stamp_count;

  const types = async (customer: string) => (await shop.events(customer)).map(({ type }) => type);

  const voucherOf = (customer: string) =>
    running.service.database.one(sql.type(z.object({ id: z.string(), status: z.string() }))`
    select id, status from voucher where customer_id = ${customer} order by minted_at, id limit 1`);

  async function withVoucher(): Promise<{ customer: string; orders: Paid[]; voucherId: string }> {
    const customer = randomUUID();
    const orders = [await shop.pay(customer), await shop.pay(customer), await shop.pay(customer)];
    return { customer, orders, voucherId: (await voucherOf(customer)).id };
  }

  describe('a full refund takes the stamps back', () => {
    test.each(['after the award', 'before the award'])('%s', async (when) => {
      const customer = randomUUID();
      const paid = paidOrder(shop.storeId, customer);
      const events = [paidEvent(paid, 2), refundEvent(paid, 3)];
      await running.consume(...(when === 'after the award' ? events : events.reverse()));
      expect((await shop.state(customer)).body).toMatchObject({ stamp_count: 0, total_spent_pence: 0, order_count: 1 });
      expect((await running.call(awardOrder, paid)).output).toMatchObject({ awarded: when === 'after the award' });
    });

    test('and publishes it once, even when its event is delivered again after its inbox row is gone', async () => {
      const customer = randomUUID();
      const paid = await shop.pay(customer);
      const refund = refundEvent(paid, 3);
      await running.consume(refund);
      await running.service.database.query(sql.unsafe`delete from inbox where event_id = ${refund.id}`);
      await running.consume(refund);
      expect(await types(customer)).toEqual(['customer.seen', 'stamp.approved', 'stamp.reversed']);
    });
  });

  test('two partial refunds in the wrong order leave the same spend, and take no stamp back', async () => {
    const customer = randomUUID();
    const paid = await shop.pay(customer);
    await running.consume(refundEvent(paid, 4, 700), refundEvent(paid, 3, 300));
    expect((await shop.state(customer)).body).toMatchObject({ stamp_count: 1, total_spent_pence: 300 });
  });

  test('two refunds that add up to a full one take the stamps back in either order', async () => {
    const customer = randomUUID();
    const paid = await shop.pay(customer);
    await running.consume(refundEvent(paid, 4), refundEvent(paid, 3, 300));
    expect((await shop.state(customer)).body).toMatchObject({ stamp_count: 0, total_spent_pence: 0 });
  });

  describe('a refund that leaves less than an order must cost to earn a stamp', () => {
    test.each(['after the award', 'before the award'])('takes the stamp back: of all but a penny, %s', async (when) => {
      const customer = randomUUID();
      const paid = paidOrder(shop.storeId, customer);
      const events = [paidEvent(paid, 2), refundEvent(paid, 3, 999)];
      await running.consume(...(when === 'after the award' ? events : events.reverse()));
      expect((await shop.state(customer)).body).toMatchObject({ stamp_count: 0, total_spent_pence: 1, order_count: 1 });
      expect((await running.call(awardOrder, paid)).output).toMatchObject({ awarded: when === 'after the award' });
    });

    test('takes it back below the programme’s least spend, and leaves it at exactly that', async () => {
      const own = await openShop(running, { min_spend_pence: 500 });
      const customer = randomUUID();
      const [below, at] = [await own.pay(customer), await own.pay(customer)];
      await running.consume(refundEvent(below, 3, 501), refundEvent(at, 3, 500));
      expect((await own.state(customer)).body.stamp_count).toBe(1);
    });

    test('takes it back below a tenth of what was paid, and leaves it at exactly that', async () => {
      const customer = randomUUID();
      const [below, at] = [await shop.pay(customer), await shop.pay(customer)];
      await running.consume(refundEvent(below, 3, 901), refundEvent(at, 3, 900));
      expect(await stamps(customer)).toBe(1);
    });

    test('measures an order that cost less than a least spend that was raised later by the tenth alone', async () => {
      const own = await openShop(running);
      const customer = randomUUID();
      const paid = await own.pay(customer);
      await running.consume(programmeOf(own.storeId, { version: 2, min_spend_pence: 2_000 }), refundEvent(paid, 3, 300));
      expect((await own.state(customer)).body.stamp_count).toBe(1);
    });

    test('leaves the voucher used that the order used, until the rest is refunded too', async () => {
      const { customer, orders, voucherId } = await withVoucher();
      expect(orders).toHaveLength(3);
      const spending = paidOrder(shop.storeId, customer, { voucher_id: voucherId });
      await running.consume(paidEvent(spending), refundEvent(spending, 3, 999));
      expect([(await voucherOf(customer)).status, await stamps(customer)]).toEqual(['redeemed', 0]);
      await running.consume(refundEvent(spending, 4));
      expect([(await voucherOf(customer)).status, await stamps(customer)]).toEqual(['active', 0]);
    });

    test('is undone when it failed, and not when what is left is still too little, in any order of arrival', async () => {
      for (const reversed of [false, true]) {
        const customer = randomUUID();
        const paid = paidOrder(shop.storeId, customer);
        const steps = [paidEvent(paid), refundEvent(paid, 3, 950), refundEvent(paid, 4, 990), refundFailedEvent(paid, 5, false, 950)];
        await running.consume(...(reversed ? steps.reverse() : steps));
        expect(await stamps(customer)).toBe(0);
        await running.consume(refundFailedEvent(paid, 6, false));
        expect(await stamps(customer)).toBe(1);
      }
    });
  });

  describe('a full refund of an order whose stamp made a voucher', () => {
    test('voids the unused voucher, and its other stamps become unused', async () => {
      const { customer, orders } = await withVoucher();
      await running.consume(refundEvent(orders[0] as Paid, 3));
      expect((await shop.state(customer)).body).toMatchObject({ stamp_count: 2, active_vouchers: [] });
      expect((await voucherOf(customer)).status).toBe('voided');
      expect(await types(customer)).toEqual(expect.arrayContaining(['stamp.reversed', 'voucher.voided']));
    });

    test('mints another voucher when the remaining stamps reach the goal', async () => {
      const { customer, orders } = await withVoucher();
      await shop.pay(customer);
      await running.consume(refundEvent(orders[0] as Paid, 3));
      const { body } = await shop.state(customer);
      expect(body).toMatchObject({ stamp_count: 0, active_vouchers: [expect.anything()] });
    });

    test('leaves a debt when the voucher was redeemed: the next stamp pays it, and no count is below zero', async () => {
      const { customer, orders, voucherId } = await withVoucher();
      const until = '2026-05-01T12:00:00Z';
      const spending = paidOrder(shop.storeId, customer, { voucher_id: voucherId, net_of_tip_pence: 0 });
      await running.call(reserveVoucher, {
        order_id: spending.order_id,
        voucher_id: voucherId,
        customer_id: customer,
        store_id: shop.storeId,
        until,
        asked_at: running.clock.now().toISOString(),
      });
      await running.consume(paidEvent(spending), refundEvent(orders[1] as Paid, 3));
      expect(await stamps(customer)).toBe(0);
      expect((await voucherOf(customer)).status).toBe('redeemed');
      await shop.pay(customer);
      expect(await stamps(customer)).toBe(0);
      await shop.pay(customer);
      expect(await stamps(customer)).toBe(1);
      const owed = sql.type(z.object({ debt: z.number() }))`select debt from card where customer_id = ${customer}`;
      expect(await running.service.database.oneFirst(owed)).toBe(0);
      for (const { data } of await shop.events(customer)) expect(data.stamp_count ?? 0).toBeGreaterThanOrEqual(0);
    });

    test('leaves a debt when an unpaid order has reserved the voucher, and keeps the reservation', async () => {
      const { customer, orders, voucherId } = await withVoucher();
      const reservation = { order_id: randomUUID(), voucher_id: voucherId, customer_id: customer, store_id: shop.storeId };
      await running.call(reserveVoucher, { ...reservation, until: '2026-05-01T12:00:00Z', asked_at: running.clock.now().toISOString() });
      await running.consume(refundEvent(orders[1] as Paid, 3));
      expect((await voucherOf(customer)).status).toBe('reserved');
      await shop.pay(customer);
      expect(await stamps(customer)).toBe(0);
    });

    test('leaves no debt when the voucher had expired unused', async () => {
      const { customer, orders, voucherId } = await withVoucher();
      await running.service.database.query(sql.unsafe`update voucher set status = 'expired' where id = ${voucherId}`);
      await running.consume(refundEvent(orders[1] as Paid, 3));
      await shop.pay(customer);
      expect(await stamps(customer)).toBe(1);
    });
  });

  describe('a full refund that failed', () => {
    test('reinstates the stamp, once', async () => {
      const customer = randomUUID();
      const paid = await shop.pay(customer);
      const failed = refundFailedEvent(paid, 4);
      await running.consume(refundEvent(paid, 3), failed);
      await running.service.database.query(sql.unsafe`delete from inbox where event_id = ${failed.id}`);
      await running.consume(failed);
      expect((await shop.state(customer)).body).toMatchObject({ stamp_count: 1, total_spent_pence: 1_000 });
      expect(await types(customer)).toEqual(['customer.seen', 'stamp.approved', 'stamp.reversed', 'stamp.approved']);
    });

    test('awards the stamp that the refund had prevented', async () => {
      const customer = randomUUID();
      const paid = paidOrder(shop.storeId, customer);
      await running.consume(refundEvent(paid, 3), paidEvent(paid, 2), refundFailedEvent(paid, 4));
      expect(await stamps(customer)).toBe(1);
      expect(await types(customer)).toEqual(['customer.seen', 'stamp.approved']);
    });

    test('changes nothing when it arrives before the refund itself', async () => {
      const customer = randomUUID();
      const paid = await shop.pay(customer);
      await running.consume(refundFailedEvent(paid, 4), refundEvent(paid, 3));
      expect((await shop.state(customer)).body).toMatchObject({ stamp_count: 1, total_spent_pence: 1_000 });
    });

    test('changes nothing when it arrives after a later full refund', async () => {
      const customer = randomUUID();
      const paid = await shop.pay(customer);
      await running.consume(refundEvent(paid, 3), refundEvent(paid, 5), refundFailedEvent(paid, 4));
      expect((await shop.state(customer)).body).toMatchObject({ stamp_count: 0, total_spent_pence: 0 });
    });

    test('and a later partial refund reinstate the stamp, whenever the failure arrives', async () => {
      const customer = randomUUID();
      const paid = await shop.pay(customer);
      await running.consume(refundEvent(paid, 3), refundEvent(paid, 5, 400));
      expect((await shop.state(customer)).body).toMatchObject({ stamp_count: 1, total_spent_pence: 600 });
      await running.consume(refundFailedEvent(paid, 4));
      expect((await shop.state(customer)).body).toMatchObject({ stamp_count: 1, total_spent_pence: 600 });
    });

    test.each(['after', 'before'])('uses the voucher it had restored again, when the refund came %s the payment', async (when) => {
      const { customer, voucherId } = await withVoucher();
      const order = paidOrder(shop.storeId, customer, { voucher_id: voucherId, net_of_tip_pence: 0 });
      const reservation = { order_id: order.order_id, voucher_id: voucherId, customer_id: customer, store_id: shop.storeId };
      await running.call(reserveVoucher, { ...reservation, until: '2026-05-01T12:00:00Z', asked_at: running.clock.now().toISOString() });
      const events = [paidEvent(order), refundEvent(order, 3)];
      await running.consume(...(when === 'after' ? events : events.reverse()));
      expect((await voucherOf(customer)).status).toBe('active');
      await running.consume(refundFailedEvent(order, 4));
      expect((await voucherOf(customer)).status).toBe('redeemed');
      expect(await types(customer)).toContain('voucher.redeemed');
    });

    test('leaves a restored voucher that was used meanwhile to the customer', async () => {
      const { customer, voucherId } = await withVoucher();
      const order = await shop.pay(customer, { voucher_id: voucherId });
      await running.consume(refundEvent(order, 3));
      const redeemed = await shop.post('redemptions', { store_id: shop.storeId, customer_id: customer, voucher_id: voucherId });
      await running.consume(refundFailedEvent(order, 4));
      expect([redeemed.status, (await voucherOf(customer)).status]).toEqual([200, 'redeemed']);
      expect((await types(customer)).filter((type) => type === 'voucher.redeemed')).toHaveLength(2);
    });

    test.each(['still unpaid', 'paid meanwhile'])('forgives the debt it left, which is %s', async (owed) => {
      const { customer, orders, voucherId } = await withVoucher();
      await running.service.database.query(sql.unsafe`update voucher set status = 'redeemed' where id = ${voucherId}`);
      await running.consume(refundEvent(orders[0] as Paid, 3));
      if (owed === 'paid meanwhile') await shop.pay(customer);
      await running.consume(refundFailedEvent(orders[0] as Paid, 4));
      if (owed === 'still unpaid') await shop.pay(customer);
      expect(await stamps(customer)).toBe(1);
    });
  });
});

describe('disputes:', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(running, { goal: 2 });
  });

  const vouchers = async (customerId: string) => (await shop.state(customerId)).body.active_vouchers;

  const redeem = (customer_id: string, voucher_id: string) => shop.post('redemptions', { store_id: shop.storeId, customer_id, voucher_id });

  const reserve = (customer_id: string, voucher_id: string) =>
    running.call(reserveVoucher, {
      order_id: randomUUID(),
      voucher_id,
      customer_id,
      store_id: shop.storeId,
      until: '2026-05-01T12:00:00Z',
      asked_at: running.clock.now().toISOString(),
    });

  async function earned() {
    const customer = randomUUID();
    const [first, second] = [await shop.pay(customer), await shop.pay(customer)];
    const [voucher] = await vouchers(customer);
    return { customer, first, second, voucher: voucher.id as string };
  }

  describe('while an order’s payment is disputed', () => {
    test.each(['first', 'second'] as const)(
      'the voucher of the %s order’s stamp cannot be used until the dispute is over',
      async (which) => {
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
      },
    );

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

    test('of two disputes, the voucher is held until both are over', async () => {
      const { customer, first, voucher } = await earned();
      const other = { dispute_id: 'du_2', amount_pence: 400 };
      await running.consume(disputedEvent(first, 5), disputedEvent(first, 6, 'opened', other), disputedEvent(first, 7, 'won'));
      expect(await refusalOf(redeem(customer, voucher))).toEqual([409, 'VOUCHER_RESERVED']);
      await running.consume(disputedEvent(first, 8, 'won', other));
      expect((await redeem(customer, voucher)).status).toBe(200);
    });

    test('a voucher past its last day is refused as expired', async () => {
      const { customer, first, voucher } = await earned();
      await running.consume(disputedEvent(first, 5));
      running.clock.advance({ days: 200 });
      expect(await refusalOf(redeem(customer, voucher))).toEqual([409, 'VOUCHER_EXPIRED']);
    });
  });

  const standing = async (customerId: string) => {
    const { stamp_count, total_spent_pence, active_vouchers } = (await shop.state(customerId)).body;
    return { stamps: stamp_count, spent: total_spent_pence, vouchers: active_vouchers.length };
  };

  const typesOf = async (customerId: string) => (await shop.events(customerId)).map(({ type }) => type);

  const permutations = <T>(list: readonly T[]): T[][] =>
    list.length < 2 ? [[...list]] : list.flatMap((head, at) => permutations(list.toSpliced(at, 1)).map((tail) => [head, ...tail]));

  describe('a lost dispute', () => {
    test('takes the stamp and the voucher it had completed back, and its money counts as gone', async () => {
      const { customer, second, voucher } = await earned();
      await running.consume(disputedEvent(second, 5), disputedEvent(second, 6, 'lost'));
      expect(await standing(customer)).toEqual({ stamps: 1, spent: 1_000, vouchers: 0 });
      expect(await refusalOf(redeem(customer, voucher))).toEqual([409, 'VOUCHER_VOIDED']);
      expect((await typesOf(customer)).slice(-2)).toEqual(['stamp.reversed', 'voucher.voided']);
    });

    test('leaves a debt when the voucher was used', async () => {
      const { customer, first, voucher } = await earned();
      await redeem(customer, voucher);
      await running.consume(disputedEvent(first, 5, 'lost'));
      await shop.grant(customer);
      expect((await standing(customer)).stamps).toBe(0);
    });

    test('restores the voucher the order had used', async () => {
      const { customer, voucher } = await earned();
      const order = await shop.pay(customer, { voucher_id: voucher, net_of_tip_pence: 0 });
      await running.consume(disputedEvent(order, 5, 'lost'));
      expect((await redeem(customer, voucher)).status).toBe(200);
    });

    const partial = (order: Order) => refundEvent(order, 3, 400);
    const opened = (order: Order) => disputedEvent(order, 4, 'opened', { amount_pence: 600 });
    const lost = (order: Order) => disputedEvent(order, 5, 'lost', { amount_pence: 600 });
    test.each(
      permutations([paidEvent, partial, opened, lost]).map(
        (events) => [events.map(({ name }) => name || 'paid').join(', '), events] as const,
      ),
    )('comes to the same in any order of arrival: %s', async (_, events) => {
      const customer = randomUUID();
      const order = paidOrder(shop.storeId, customer);
      for (const event of events) await running.consume(event(order));
      expect(await standing(customer)).toEqual({ stamps: 0, spent: 0, vouchers: 0 });
      await shop.grant(customer);
      expect((await standing(customer)).stamps).toBe(1);
    });

    test.each(['before', 'after'])('does nothing twice when the order is refunded in full %s it', async (when) => {
      const { customer, second } = await earned();
      const events = [refundEvent(second, 5), disputedEvent(second, 6, 'lost')];
      await running.consume(...(when === 'before' ? events : events.reverse()));
      expect(await standing(customer)).toEqual({ stamps: 1, spent: 1_000, vouchers: 0 });
      expect((await typesOf(customer)).filter((type) => type === 'stamp.reversed')).toHaveLength(1);
    });

    test('keeps the stamp back when the full refund beside it fails', async () => {
      const customer = randomUUID();
      const order = await shop.pay(customer);
      await running.consume(refundEvent(order, 3), disputedEvent(order, 4, 'lost'), refundFailedEvent(order, 5));
      expect(await standing(customer)).toEqual({ stamps: 0, spent: 0, vouchers: 0 });
    });

    test('that is won after all reinstates the stamp and uses the restored voucher again', async () => {
      const { customer, voucher } = await earned();
      const order = await shop.pay(customer, { voucher_id: voucher });
      await running.consume(disputedEvent(order, 5, 'lost'), disputedEvent(order, 6, 'won'));
      expect(await standing(customer)).toEqual({ stamps: 1, spent: 3_000, vouchers: 0 });
      expect(await refusalOf(redeem(customer, voucher))).toEqual([409, 'VOUCHER_ALREADY_REDEEMED']);
    });

    test('is not undone by another dispute that is won', async () => {
      const customer = randomUUID();
      const order = await shop.pay(customer);
      const other = { dispute_id: 'du_2', amount_pence: 300 };
      await running.consume(disputedEvent(order, 5, 'lost', { amount_pence: 700 }), disputedEvent(order, 6, 'won', other));
      expect(await standing(customer)).toEqual({ stamps: 0, spent: 300, vouchers: 0 });
    });
  });

  type Order = ReturnType<typeof paidOrder>;
});
