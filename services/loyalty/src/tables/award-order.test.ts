import { randomUUID } from 'node:crypto';
import { awardOrder } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { paidEvent, paidOrder } from '../under-test/events.ts';
import { type Running, startRunning } from '../under-test/running.ts';
import { openShop, type Shop } from '../under-test/shop.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const types = async (at: Shop, customer: string) => (await at.told(customer)).map(({ type }) => type);

describe('an order is awarded once', () => {
  test('when question and event come at the same instant, and the second reads the result of the first', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const customer = randomUUID();
        const paid = paidOrder(shop.storeId, customer);
        const event = paidEvent(paid);
        const [asked] = await Promise.all([running.ask(awardOrder, paid), running.tell(event), running.heard(event)]);
        expect(asked.answer).toMatchObject({ awarded: true, stamps_added: 1, stamp_count: 1, goal: 3 });
        expect((await running.ask(awardOrder, paid)).answer).toEqual(asked.answer);
        expect((await shop.state(customer)).body).toMatchObject({ stamp_count: 1, order_count: 1, total_spent_pence: 1_000 });
        expect(await types(shop, customer)).toEqual(['customer.seen', 'stamp.approved']);
      }),
    );
  });

  test('when its event is delivered again, even after the inbox has forgotten it', async () => {
    const customer = randomUUID();
    const event = paidEvent(paidOrder(shop.storeId, customer));
    await running.hear(event);
    await running.service.database.query(sql.unsafe`delete from inbox where event_id = ${event.id}`);
    await running.hear(event);
    expect((await shop.state(customer)).body).toMatchObject({ stamp_count: 1, order_count: 1, total_spent_pence: 1_000 });
    expect(await types(shop, customer)).toEqual(['customer.seen', 'stamp.approved']);
  });
});
