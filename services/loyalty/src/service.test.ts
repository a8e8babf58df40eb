import { randomUUID } from 'node:crypto';
import type { Database } from '@corner/chassis';
import { reserveVoucher } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { explainCards } from './card/tables/explain.ts';
import { jobs } from './service.ts';
import { type Running, startRunning } from './testing/running.ts';
import { openShop, type Shop } from './testing/shop.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});

afterAll(async () => await running[Symbol.asyncDispose]());

describe('explain:', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(running, { goal: 2 });
  });

  const explained = (...ids: readonly string[]) => explainCards(running.service.database, ids);

  const sentencesOf = async (...ids: readonly string[]) => (await explained(...ids)).facts.map(({ sentence }) => sentence);

  test('a voucher is found by its id and by its code, which is not returned, and its stamps by their order', async () => {
    const customer = randomUUID();
    const order = await shop.pay(customer);
    await shop.grant(customer);
    const [voucher] = (await shop.state(customer)).body.active_vouchers;
    const { facts, also } = await explained(voucher.code);
    expect(facts.map(({ store_id, customer_id }) => [store_id, customer_id])).toEqual(facts.map(() => [shop.storeId, customer]));
    expect(facts.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(
        new RegExp(`^Voucher ${voucher.id} of store ${shop.storeId} was earned by customer ${customer}; it is now active, and ends at 20`),
      ),
    ]);
    expect(also).toEqual([voucher.id]);
    expect(await explained(voucher.id)).toEqual({ facts, also });
    expect(JSON.stringify(facts)).not.toContain(voucher.code);
    expect((await sentencesOf(order.order_id))[0]).toMatch(`Customer ${customer} had a stamp by order, for order ${order.order_id}`);

    const held = { order_id: randomUUID(), voucher_id: voucher.id, customer_id: customer, store_id: shop.storeId };
    await running.call(reserveVoucher, { ...held, until: '2026-05-01T11:25:00Z', asked_at: running.clock.now().toISOString() });
    expect((await sentencesOf(voucher.code))[0]).toContain(`it is now reserved by order ${held.order_id}`);
  });

  test('of a customer the cards, the newest stamps and the vouchers that can be used are found', async () => {
    const customer = randomUUID();
    for (let stamps = 0; stamps < 3; stamps += 1) await shop.grant(customer);
    const [voucher] = (await shop.state(customer)).body.active_vouchers;
    const sentences = (await sentencesOf(customer)).join('\n');
    expect(sentences).toContain(`Customer ${customer} got a card of store ${shop.storeId}; it now counts 0 orders.`);
    expect(sentences.match(/had a stamp by/g)).toHaveLength(3);
    expect(sentences).toContain(`Voucher ${voucher.id} of store ${shop.storeId} was earned`);
  });

  test('an unknown id has no story', async () => {
    expect(await explained(randomUUID(), "'; drop")).toEqual({ facts: [], also: [] });
  });
});

const watched = (database: Database, names: string[]): Database =>
  new Proxy(database, {
    get(target, method, receiver) {
      const value = Reflect.get(target, method, receiver);
      if (typeof value !== 'function') return value;
      return (...args: { readonly name?: string }[]) => {
        names.push(args[0]?.name ?? String(method));
        return value(...args);
      };
    },
  });

test.each(Object.entries(jobs))('%s takes one look when nothing is due', async (_name, { run }) => {
  const names: string[] = [];
  const { context } = running.service;
  await run({ ...context, database: watched(context.database, names) });
  expect(names).toHaveLength(1);
  expect(names).not.toContain('transaction');
});
