import { randomUUID } from 'node:crypto';
import { awardOrder } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { paidEvent, paidOrder } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const types = async (at: Shop, customer: string) => (await at.events(customer)).map(({ type }) => type);

describe('a paid order is awarded once', () => {
  test('when its RPC and its event come at the same time, and the second returns the award of the first', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const customer = randomUUID();
        const paid = paidOrder(shop.storeId, customer);
        const event = paidEvent(paid);
        const [reply] = await Promise.all([running.call(awardOrder, paid), running.publish(event), running.processed(event)]);
        expect(reply.output).toMatchObject({ awarded: true, stamps_added: 1, stamp_count: 1, goal: 3 });
        expect((await running.call(awardOrder, paid)).output).toEqual(reply.output);
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
  const { output: award } = await running.call(awardOrder, paidOrder(generous.storeId, customer));
  expect(award).toMatchObject({ stamps_added: 3, stamp_count: 1, voucher_minted: true, reward_unlock_message: 'Enjoy' });
  const counts = (await generous.events(customer)).filter(({ type }) => type === 'stamp.approved').map(({ data }) => data.stamp_count);
  expect(counts).toEqual([1, 2, 3, 4, 5, 6]);
});

test('without a programme an order earns nothing and counts as a visit, and the next order with one earns', async () => {
  const customer = randomUUID();
  const storeId = randomUUID();
  const early = paidOrder(storeId, customer);
  await running.consume(paidEvent(early));
  expect((await running.call(awardOrder, early)).output).toMatchObject({ awarded: false, stamp_count: 0 });
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
    await running.call(awardOrder, order);
    return running.statements.map((text) => /insert into \w+/.exec(text)?.[0]);
  };
  expect(await statements()).toEqual([undefined, 'insert into card']);
  expect(await statements()).toEqual([undefined]);
});
