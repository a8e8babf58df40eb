import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { paidEvent, paidOrder, refundEvent } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;

beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

test('a sale to someone who is not known earns no stamp and makes no card, nor does its refund', async () => {
  const sale = randomUUID();
  const paid = paidOrder(shop.storeId, sale, { order_id: sale });
  for (const event of [paidEvent(paid), refundEvent(paid, 3)])
    await running.consume({ ...event, data: { ...(event.data as object), without_customer: true } });
  const count = sql.type(z.object({ cards: z.number(), orders: z.number() }))`
    select (select count(*)::int from card where customer_id = ${sale}) as cards,
      (select count(*)::int from order_ledger where order_id = ${sale}) as orders`;
  expect(await running.service.database.one(count)).toEqual({ cards: 0, orders: 0 });
});
