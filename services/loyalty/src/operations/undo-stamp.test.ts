import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addPendingStamp } from '../testing/pending-stamp.ts';
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

describe('undoing a granted stamp', () => {
  const undo = (customer_id: string, stamp_id: string) => shop.post('stamps/undo', { store_id: shop.storeId, customer_id, stamp_id });

  test('happens once and is published once', async () => {
    const customer = randomUUID();
    const { body } = await shop.grant(customer);
    const responses = await Promise.all([1, 2, 3].map(() => undo(customer, body.stamp_id)));
    for (const response of responses) expect(response).toEqual({ status: 200, body: { undone: true, current_stamps: 0 } });
    expect(await types(customer)).toEqual(['customer.seen', 'stamp.approved', 'stamp.undone']);
  });

  test('takes three statements', async () => {
    const customer = randomUUID();
    const { body } = await shop.grant(customer);
    running.statements.length = 0;
    await undo(customer, body.stamp_id);
    expect(running.statements).toHaveLength(3);
  });

  test('is refused for a used stamp, a stamp of another source, and another customer’s', async () => {
    const customer = randomUUID();
    const first = await shop.grant(customer);
    expect((await undo(randomUUID(), first.body.stamp_id)).body.error.code).toBe('STAMP_NOT_FOUND');
    await shop.grant(customer);
    expect((await undo(customer, first.body.stamp_id)).body.error.code).toBe('STAMP_ALREADY_USED');
    expect((await undo(customer, await addPendingStamp(running, shop, customer))).body.error.code).toBe('STAMP_NOT_UNDOABLE');
  });
});
