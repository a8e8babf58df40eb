import { randomUUID } from 'node:crypto';
import type { Transaction } from '@corner/chassis';
import { awardOrder as awardOrderRpc } from '@corner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Paid, paidEvent, paidOrder, refundEvent } from '../testing/events.ts';
import { waitsForLock } from '../testing/held-lock.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';
import { awardOrders } from './transactions/award-orders.ts';
import { applyRefunds } from './transactions/take-back-stamps.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});

afterAll(async () => await running[Symbol.asyncDispose]());

describe('one order:', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(running);
  });

  const types = async (at: Shop, customer: string) => (await at.events(customer)).map(({ type }) => type);

  describe('a paid order is awarded once', () => {
    test('when its RPC and its event come at the same time, and the second returns the award of the first', async () => {
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const customer = randomUUID();
          const paid = paidOrder(shop.storeId, customer);
          const event = paidEvent(paid);
          const [reply] = await Promise.all([running.call(awardOrderRpc, paid), running.publish(event), running.processed(event)]);
          expect(reply.output).toMatchObject({ awarded: true, stamps_added: 1, stamp_count: 1, goal: 3 });
          expect((await running.call(awardOrderRpc, paid)).output).toEqual(reply.output);
          expect((await shop.state(customer)).body).toMatchObject({ stamp_count: 1, order_count: 1, total_spent_pence: 1_000 });
          expect(await types(shop, customer)).toEqual(['customer.seen', 'stamp.approved']);
        }),
      );
    });

    test('when its event is delivered again, even after its inbox row is gone', async () => {
      const customer = randomUUID();
      const event = paidEvent(paidOrder(shop.storeId, customer));
      await running.consume(event);
      await running.service.database.query(sql.unsafe`delete from inbox where event_id = ${event.id}`);
      await running.consume(event);
      expect((await shop.state(customer)).body).toMatchObject({ stamp_count: 1, order_count: 1, total_spent_pence: 1_000 });
      expect(await types(shop, customer)).toEqual(['customer.seen', 'stamp.approved']);
    });
  });

  test('an order earns the programme’s stamps from its minimum spend on', async () => {
    const generous = await openShop(running, { goal: 5, stamps_per_order: 3, min_spend_pence: 500 });
    const customer = randomUUID();
    await generous.pay(customer, { net_of_tip_pence: 499 });
    expect((await generous.state(customer)).body).toMatchObject({ stamp_count: 0, order_count: 1 });
    await generous.pay(customer, { net_of_tip_pence: 500 });
    const { output: award } = await running.call(awardOrderRpc, paidOrder(generous.storeId, customer));
    expect(award).toMatchObject({ stamps_added: 3, stamp_count: 1, voucher_minted: true, reward_unlock_message: 'Enjoy' });
    const counts = (await generous.events(customer)).filter(({ type }) => type === 'stamp.approved').map(({ data }) => data.stamp_count);
    expect(counts).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('without a programme an order earns nothing and counts as a visit, and the next order with one earns', async () => {
    const customer = randomUUID();
    const storeId = randomUUID();
    const early = paidOrder(storeId, customer);
    await running.consume(paidEvent(early));
    expect((await running.call(awardOrderRpc, early)).output).toMatchObject({ awarded: false, stamp_count: 0 });
    const opened = await openShop(running, {}, {}, storeId);
    expect((await opened.state(customer)).body).toMatchObject({ stamp_count: 0, order_count: 1, total_spent_pence: 1_000 });
    await opened.pay(customer);
    expect((await opened.state(customer)).body).toMatchObject({ stamp_count: 1, order_count: 2 });
    expect(await types(opened, customer)).toEqual(['customer.seen', 'stamp.approved']);
  });

  test('an award takes two statements, of which one changes anything, and one when the order has its award', async () => {
    const order = paidOrder(shop.storeId, randomUUID());
    const statements = async () => {
      running.statements.length = 0;
      await running.call(awardOrderRpc, order);
      return running.statements.map((text) => /insert into \w+/.exec(text)?.[0]);
    };
    expect(await statements()).toEqual([undefined, 'insert into card']);
    expect(await statements()).toEqual([undefined]);
  });
});

describe('many orders:', () => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await openShop(running);
  });

  const taskOf = (task: Paid) => ({ task: { ...task, paid_at: String(task.paid_at) }, within: <T>(work: () => T) => work() });

  const awardAll = (orders: readonly Paid[]) => running.service.database.transaction((tx) => awardOrders(orders.map(taskOf), tx));

  const award = (order: Paid) => (tx: Transaction) => awardOrders([taskOf(order)], tx);

  const ordersOf = (customers: readonly string[]) => customers.map((customer) => paidOrder(shop.storeId, customer));

  const customers = (count: number) => Array.from({ length: count }, () => randomUUID());

  const Award = z.object({ award: awardOrderRpc.output });

  async function outcomeOf(at: Shop, orders: readonly Paid[]) {
    const awards = await Promise.all(
      orders.map(({ order_id }) =>
        running.service.database.one(sql.type(Award)`select award from order_ledger where order_id = ${order_id}`),
      ),
    );
    const cards = [...new Set(orders.map(({ customer_id }) => customer_id))].map(async (customer) => {
      const { body } = await at.state(customer);
      const events = (await at.events(customer)).map(({ type, sequence, data }) => [type, sequence, data.stamp_count, data.goal]);
      return {
        stamps: body.stamp_count,
        orders: body.order_count,
        spent: body.total_spent_pence,
        vouchers: body.active_vouchers.length,
        events,
      };
    });
    return { awards, cards: await Promise.all(cards) };
  }

  describe('orders that are awarded together', () => {
    test('take two statements, also when their stamps complete vouchers', async () => {
      const orders = ordersOf(customers(10));
      for (let round = 1; round <= 3; round += 1) {
        running.statements.length = 0;
        await awardAll(orders.map((order) => ({ ...order, order_id: randomUUID() })));
        expect(running.statements.flatMap((text) => namesOf(text))).toEqual(['award-data', 'write-awards']);
      }
      for (const { customer_id } of orders)
        expect((await shop.state(customer_id)).body).toMatchObject({ stamp_count: 0, active_vouchers: [{}] });
    });

    test('take one statement when they were awarded before', async () => {
      const orders = ordersOf(customers(10));
      await awardAll(orders);
      running.statements.length = 0;
      await awardAll(orders);
      expect(running.statements.flatMap((text) => namesOf(text))).toEqual(['award-data']);
    });

    test.each([
      { title: 'one order each', of: [0, 1, 2, 3], programme: {} },
      { title: 'several orders of a card, which complete vouchers', of: [0, 1, 0, 0, 1, 0, 0, 0, 0], programme: { goal: 3 } },
      { title: 'several stamps an order', of: [0, 0, 1, 0], programme: { goal: 4, stamps_per_order: 3 } },
      { title: 'orders that earn nothing', of: [0, 0, 1], programme: { min_spend_pence: 5_000 } },
      { title: 'a programme that is disabled', of: [0, 1], programme: { enabled: false } },
    ])('have the outcome of orders awarded one by one: $title', async ({ of, programme }) => {
      const [alone, together] = [await openShop(running, programme), await openShop(running, programme)];
      const people = customers(4);
      const [one, all] = [alone, together].map(({ storeId }) => of.map((who) => paidOrder(storeId, people[who] as string))) as [
        Paid[],
        Paid[],
      ];
      for (const order of one) await awardAll([order]);
      await awardAll(all);
      expect(await outcomeOf(together, all)).toEqual(await outcomeOf(alone, one));
    });

    test('may include one that used a voucher and one that was refunded before, with the same two statements', async () => {
      const [saver, refunded, plain] = customers(3) as [string, string, string];
      for (let n = 0; n < 3; n += 1) await shop.pay(saver);
      const voucher = (await shop.state(saver)).body.active_vouchers[0];
      const orders = [
        paidOrder(shop.storeId, saver, { voucher_id: voucher.id }),
        paidOrder(shop.storeId, refunded),
        paidOrder(shop.storeId, plain),
        paidOrder(shop.storeId, saver),
      ] as [Paid, Paid, Paid, Paid];
      await running.consume(refundEvent(orders[1], 3));
      running.statements.length = 0;
      await awardAll(orders);
      expect(running.statements.flatMap((text) => namesOf(text))).toEqual(['award-data', 'write-awards']);
      const { awards, cards } = await outcomeOf(shop, orders);
      expect(awards.map(({ award }) => [award.awarded, award.stamp_count])).toEqual([
        [true, 1],
        [false, 0],
        [true, 1],
        [true, 2],
      ]);
      expect(cards).toMatchObject([
        { stamps: 2, vouchers: 0, orders: 5 },
        { stamps: 0, orders: 1, spent: 0 },
        { stamps: 1, orders: 1 },
      ]);
    });

    test('are awarded once when an order has two events in the batch', async () => {
      const [order] = ordersOf(customers(1)) as [Paid];
      await awardAll([order, order]);
      expect((await outcomeOf(shop, [order])).cards).toMatchObject([{ stamps: 1, orders: 1 }]);
    });

    test('of the same cards in two batches at once, in opposite orders, wait for each other and never deadlock', async () => {
      const people = customers(8);
      const deadlocks = () =>
        running.service.database.oneFirst(sql.type(z.object({ deadlocks: z.number() }))`
        select deadlocks from pg_stat_database where datname = current_database()`);
      const before = await deadlocks();
      const rounds = 15;
      for (let round = 0; round < rounds; round += 1)
        await Promise.all([awardAll(ordersOf(people)), awardAll(ordersOf(people.toReversed()))]);
      expect(await deadlocks()).toBe(before);
      for (const customer of people) {
        expect((await shop.state(customer)).body).toMatchObject({ stamp_count: (2 * rounds) % 3, order_count: 2 * rounds });
        const sequences = (await shop.events(customer)).map(({ sequence }) => sequence);
        expect(sequences).toEqual(sequences.map((_, index) => index + 1));
      }
    });
  });

  /**
   * Runs `change` and awards the order, by its RPC or its event, so that the award reads before the change is committed and writes after.
   */
  async function awardDuring(order: Paid, change: (tx: Transaction) => Promise<unknown>, byRpc: boolean) {
    const { database } = running.service;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: changed, resolve: nowChanged } = Promise.withResolvers<void>();
    const changing = database.transaction(async (tx) => {
      await change(tx);
      nowChanged();
      await released;
    });
    await changed;
    const awarding = byRpc ? running.call(awardOrderRpc, order) : awardAll([order]);
    await waitsForLock(database, 'with decided as');
    release();
    await Promise.all([changing, awarding]);
  }

  describe('an order whose card changes between the read and the write of its award', () => {
    const cases = [true, false].flatMap((byRpc) =>
      [true, false].map((known) => ({ by: byRpc ? 'RPC' : 'event', byRpc, customer: known ? 'known' : 'new', known })),
    );

    test.each(cases)('earns nothing when that was its full refund: by $by, a $customer customer', async ({ byRpc, known }) => {
      const [order] = ordersOf(customers(1)) as [Paid];
      if (known) await shop.pay(order.customer_id);
      const refund = { ...order, cumulative_pence: 1_000, full: true };
      await awardDuring(order, (tx) => applyRefunds(tx, refund, 3), byRpc);
      expect((await outcomeOf(shop, [order])).awards).toMatchObject([{ award: { awarded: false, stamp_count: known ? 1 : 0 } }]);
      expect((await shop.state(order.customer_id)).body).toMatchObject({ stamp_count: known ? 1 : 0, order_count: known ? 2 : 1 });
    });

    test.each(cases)('earns its stamp once when that was its award: by $by, a $customer customer', async ({ byRpc, known }) => {
      const [order] = ordersOf(customers(1)) as [Paid];
      if (known) await shop.pay(order.customer_id);
      await awardDuring(order, award(order), byRpc);
      expect((await shop.state(order.customer_id)).body).toMatchObject({ stamp_count: known ? 2 : 1, order_count: known ? 2 : 1 });
    });

    test('completes the voucher that the stamps of both complete', async () => {
      const [order] = ordersOf(customers(1)) as [Paid];
      await shop.pay(order.customer_id);
      const other = paidOrder(shop.storeId, order.customer_id);
      await awardDuring(order, award(other), true);
      expect((await shop.state(order.customer_id)).body).toMatchObject({ stamp_count: 0, order_count: 3, active_vouchers: [{}] });
    });
  });

  test.each([
    { by: 'RPC', byRpc: true },
    { by: 'event', byRpc: false },
  ])(
    'a voucher that another order reserves between the read and the write of an award is not redeemed by it: by $by',
    async ({ byRpc }) => {
      const [customer] = customers(1) as [string];
      for (let n = 0; n < 3; n += 1) await shop.pay(customer);
      const voucher_id = (await shop.state(customer)).body.active_vouchers[0].id;
      const order = paidOrder(shop.storeId, customer, { voucher_id });
      const reserve = (tx: Transaction) =>
        tx.query(sql.type(z.object({}))`
        update voucher set status = 'reserved', reserved_by_order = ${randomUUID()}, reserved_until = ${'2026-05-01T12:00:00Z'}
        where id = ${voucher_id}`);
      await awardDuring(order, reserve, byRpc);
      expect((await outcomeOf(shop, [order])).awards).toMatchObject([{ award: { awarded: true, stamp_count: 1 } }]);
      expect((await shop.events(customer)).map(({ type }) => type)).not.toContain('voucher.redeemed');
      const status = await running.service.database.oneFirst(
        sql.type(z.object({ status: z.string() }))`select status from voucher where id = ${voucher_id}`,
      );
      expect(status).toBe('reserved');
    },
  );

  test('new stamps pay the debt of a card before they complete a voucher, as they do one by one', async () => {
    const [alone, together] = customers(2) as [string, string];
    for (const customer of [alone, together]) {
      const paid = [await shop.pay(customer), await shop.pay(customer), await shop.pay(customer)];
      const voucher_id = (await shop.state(customer)).body.active_vouchers[0].id;
      await shop.pay(customer, { voucher_id });
      for (const order of paid) await running.consume(refundEvent(order, 3));
    }
    const next = (customer: string) => Array.from({ length: 5 }, () => paidOrder(shop.storeId, customer));
    const [one, all] = [next(alone), next(together)];
    for (const order of one) await awardAll([order]);
    await awardAll(all);
    const outcome = await outcomeOf(shop, all);
    expect(outcome).toEqual(await outcomeOf(shop, one));
    expect(outcome.cards).toMatchObject([{ stamps: 0, vouchers: 1, orders: 9 }]);
  });

  const namesOf = (text: string): string[] =>
    Object.entries({ 'award-data': 'as programme,', 'write-awards': 'with decided', other: 'update card' })
      .filter(([name, part]) => text.includes(part) && !(name === 'other' && text.includes('with decided')))
      .map(([name]) => name);
});
