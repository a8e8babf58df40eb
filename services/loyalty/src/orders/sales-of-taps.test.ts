import { randomUUID } from 'node:crypto';
import { orderCustomerBound } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { paidOrder, refundEvent } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { customerToken, openShop, type Shop } from '../testing/shop.ts';
import { fieldsOf, tapOf } from '../testing/tags.ts';

let running: Running;
const uid = '04112233445566';
let counter = 0;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => await running[Symbol.asyncDispose]());

async function openTapped(programme: object = {}) {
  const tag = uid.slice(0, 6) + randomUUID().replaceAll('-', '').slice(0, 8);
  const shop = await openShop(running, { goal: 5, tags: [{ uid: tag, key_version: '1' }], ...programme });
  const tap = async (customerId: string) => {
    const token = await customerToken(running, customerId);
    counter += 1;
    const { body } = await shop.post('stamp-codes', { store_id: shop.storeId, ttl_seconds: 300, ...fieldsOf(tapOf(tag, counter)) }, token);
    return { redeem: async () => (await shop.post('stamp-codes/redeem', { code: body.code }, token)).body };
  };
  return { shop, tap };
}

const tapsOf = async (shop: Shop, customerId: string) =>
  (await shop.events(customerId)).filter(({ type }) => type === 'tap.presented').map(({ data }) => data);

function boundSale(shop: Shop, customerId: string, stamp_id: string, net_of_tip_pence = 1_000) {
  const paid = paidOrder(shop.storeId, customerId, { net_of_tip_pence });
  const { voucher_id: _, ...data } = { ...paid, order_number: 'A-1', stamp_id };
  const about = { aggregateId: paid.order_id, sequence: 3, storeId: shop.storeId, customerId };
  return { paid, event: envelopeOf(orderCustomerBound, data, about) };
}

const stampsOf = (orderId: string) =>
  running.service.database.any(sql.type(z.object({ source: z.string(), status: z.string(), approval_reason: z.string().nullable() }))`
    select source, status, approval_reason from stamp where order_id = ${orderId} order by ordinal`);

describe('a tap that earned a stamp', () => {
  test('is published with the moment of the tap, not of the redemption, and once', async () => {
    const { shop, tap } = await openTapped();
    const ana = randomUUID();
    const tapped = running.clock.now();
    const { redeem } = await tap(ana);
    running.clock.advance({ minutes: 2 });
    const { stamp_id } = await redeem();
    await redeem();
    const [published, ...more] = await tapsOf(shop, ana);
    expect(published).toMatchObject({ store_id: shop.storeId, customer_id: ana, stamp_id });
    expect(new Date(published.at)).toEqual(tapped);
    expect(more).toEqual([]);
  });

  test('is not published for a code without a tap', async () => {
    const { shop } = await openTapped({ codes_without_proof: 'count' });
    const ana = randomUUID();
    const token = await customerToken(running, ana);
    const { body } = await shop.post('stamp-codes', { store_id: shop.storeId, ttl_seconds: 60 }, token);
    await shop.post('stamp-codes/redeem', { code: body.code }, token);
    expect(await tapsOf(shop, ana)).toEqual([]);
  });
});

describe('a sale that a tap has put on a card', () => {
  const bind = async (programme: object, net?: number) => {
    const { shop, tap } = await openTapped(programme);
    const ana = randomUUID();
    const { stamp_id } = await (await tap(ana)).redeem();
    const { paid, event } = boundSale(shop, ana, stamp_id, net);
    await running.consume(event);
    return { shop, ana, paid, event, count: async () => (await shop.state(ana)).body.stamp_count };
  };
  const tapAndSale = { source: 'nfc', status: 'approved', approval_reason: 'tap_and_sale' };

  test('earns no second stamp: that of the tap is the order’s, with the evidence of both', async () => {
    const { paid, count, shop, ana, event } = await bind({});
    expect(await count()).toBe(1);
    expect(await stampsOf(paid.order_id)).toEqual([tapAndSale]);
    await running.consume({ ...event, id: randomUUID() });
    expect(await count()).toBe(1);
    expect((await shop.state(ana)).body.order_count).toBe(1);
  });

  test('earns the further stamps of a programme that gives several for an order', async () => {
    const { paid, count } = await bind({ stamps_per_order: 3 });
    expect(await count()).toBe(3);
    const ofOrder = { source: 'order', status: 'approved', approval_reason: null };
    expect(await stampsOf(paid.order_id)).toEqual([tapAndSale, ofOrder, ofOrder]);
  });

  test('keeps the stamp of the tap when the order alone would earn none', async () => {
    const { count } = await bind({ min_spend_pence: 5_000 }, 640);
    expect(await count()).toBe(1);
  });

  test('loses all its stamps, the tap’s too, when it is refunded in full', async () => {
    const { paid, count } = await bind({ stamps_per_order: 2 });
    await running.consume(refundEvent(paid, 4));
    expect(await count()).toBe(0);
  });
});
