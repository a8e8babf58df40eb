import { randomUUID } from 'node:crypto';
import { awardOrder, releaseVoucher, reserveVoucher } from '@corner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Chain, openChain } from '../testing/chain.ts';
import { customerOf, disputedEvent, paidEvent, paidOrder, programmeOf, refundEvent, visitEvent } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { addPendingStamp, bo, customerToken, cy, type Shop, staffOf, withoutProof } from '../testing/shop.ts';

let running: Running;
let chain: Chain;
let home: Shop;
let branch: Shop;
let outside: Shop;
let ana: string;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  await open({ goal: 3 });
});
afterAll(async () => await running[Symbol.asyncDispose]());

async function open(terms: Parameters<typeof openChain>[1]): Promise<void> {
  chain = await openChain(running, terms);
  ({ home, branch, outside } = chain);
  ana = randomUUID();
  await running.consume(customerOf(ana, { name: 'Ana', email: `${ana}@example.com` }));
}

const countsOf = async (...shops: readonly Shop[]) => Promise.all(shops.map(async (shop) => (await shop.state(ana)).body.stamp_count));
const codesAt = async (shop: Shop): Promise<string[]> =>
  (await shop.state(ana)).body.active_vouchers.map(({ code }: { readonly code: string }) => code);
const redeemByCode = (shop: Shop, code: string) => shop.post('redemptions/by-code', { store_id: shop.storeId, code });
const fill = async (shop: Shop) => {
  for (let stamps = 0; stamps < 3; stamps += 1) await shop.grant(ana);
  return (await shop.state(ana)).body.active_vouchers.at(-1);
};
const reserve = (shop: Shop, voucher_id: string, order_id: string = randomUUID()) =>
  running.call(reserveVoucher, {
    order_id,
    voucher_id,
    customer_id: ana,
    store_id: shop.storeId,
    until: '2026-05-01T11:25:00Z',
    asked_at: running.clock.now().toISOString(),
  });

describe('a card over several stores', () => {
  test('has the stamps of all of them, and each of them shows it', async () => {
    await home.grant(ana);
    await branch.pay(ana);
    expect(await countsOf(home, branch, outside)).toEqual([2, 2, 0]);
    const { body } = await branch.get(`customers?store_id=${branch.storeId}&q=${ana}`);
    expect(body.customers).toMatchObject([{ stamp_count: 2, goal: 3, reward_name: 'A coffee' }]);
  });

  test('publishes its events as those of the home, with the store where a stamp was collected', async () => {
    await branch.pay(ana);
    await home.grant(ana);
    await branch.grant(ana);
    const stamps = (await home.events(ana)).filter(({ type }) => type === 'stamp.approved');
    expect(stamps.map(({ data }) => [data.store_id, data.at_store_id, data.stamp_count])).toEqual([
      [home.storeId, branch.storeId, 1],
      [home.storeId, null, 2],
      [home.storeId, branch.storeId, 3],
    ]);
    expect(await branch.events(ana)).toMatchObject([{ type: 'customer.seen', sequence: 1, data: { store_id: branch.storeId } }]);
  });

  test('collects codes and visits at each of them', async () => {
    await open({ ...withoutProof, goal: 3, driver: 'visits' });
    const token = await customerToken(running, ana);
    const { body } = await branch.post('stamp-codes', { store_id: branch.storeId }, token);
    await branch.post('stamp-codes/redeem', { code: body.code }, token);
    const visit = { ref: randomUUID(), storeId: branch.storeId, customerId: ana };
    await running.consume(visitEvent('completed', visit, 1));
    expect(await countsOf(home, branch)).toEqual([2, 2]);
    await running.consume(visitEvent('reopened', visit, 2));
    expect(await countsOf(home, branch)).toEqual([1, 1]);
  });

  test('is filled once by orders that are paid at several stores at the same time', async () => {
    const orders = [home, branch, home, branch, branch, home].map(({ storeId }) => paidOrder(storeId, ana));
    await Promise.all([
      ...orders.map((order) => running.call(awardOrder, order)),
      ...orders.map((order) => running.publish(paidEvent(order))),
      home.grant(ana),
      branch.grant(ana),
    ]);
    await running.consume(...orders.map((order) => paidEvent(order)));
    expect(await countsOf(home, branch)).toEqual([2, 2]);
    expect((await codesAt(branch)).length).toBe(2);
    const [atHome, atBranch] = [(await home.state(ana)).body, (await branch.state(ana)).body];
    expect([atHome.order_count, atBranch.order_count, atHome.total_spent_pence]).toEqual([3, 3, 3_000]);
  });
});

describe('a voucher', () => {
  test('is redeemed at each store of the programme, once, and is unknown at another store', async () => {
    await fill(home);
    await fill(branch);
    const [first = '', second = ''] = await codesAt(home);
    expect((await redeemByCode(outside, first)).body.error.code).toBe('VOUCHER_NOT_FOUND');
    expect((await redeemByCode(branch, first)).status).toBe(200);
    expect((await redeemByCode(home, first)).body.error.code).toBe('VOUCHER_ALREADY_REDEEMED');
    const voucher = (await home.state(ana)).body.active_vouchers[0];
    const redeemed = await branch.post('redemptions', { store_id: branch.storeId, customer_id: ana, voucher_id: voucher.id });
    expect(redeemed.body).toMatchObject({ redemption_code: second });
    const { body } = await branch.get(`log?store_id=${branch.storeId}`);
    expect(body.entries.filter(({ voucher_id }: { voucher_id: string | null }) => voucher_id !== null)).toHaveLength(2);
  });

  test('is used by an order at another store, and a refund of that order restores it', async () => {
    const { id } = await fill(home);
    expect((await reserve(outside, id)).problem).toBe('VOUCHER_NOT_FOUND');
    const order = paidOrder(branch.storeId, ana, { voucher_id: id });
    expect((await reserve(branch, id, order.order_id)).output).toMatchObject({ voucher_id: id });
    await running.consume(paidEvent(order));
    expect([await codesAt(home), await countsOf(home)]).toEqual([[], [1]]);
    await running.consume(refundEvent(order, 3));
    expect([(await codesAt(branch)).length, await countsOf(home)]).toEqual([1, [0]]);
  });

  test('that an order has reserved is released also when the order’s store has left', async () => {
    const { id } = await fill(home);
    const order_id = randomUUID();
    await reserve(branch, id, order_id);
    await chain.rejoin();
    const asked_at = running.clock.now().toISOString();
    expect((await running.call(releaseVoucher, { order_id, voucher_id: id, store_id: branch.storeId, asked_at })).output).toEqual({
      released: true,
    });
  });
});

describe('each store of a programme', () => {
  test('takes back the stamps of its own orders, by a refund and by a lost dispute', async () => {
    const [first, second] = [await branch.pay(ana), await branch.pay(ana)];
    await home.pay(ana);
    expect((await codesAt(home)).length).toBe(1);
    await running.consume(refundEvent(first, 3));
    expect([await codesAt(home), await countsOf(home, branch)]).toEqual([[], [2, 2]]);
    await running.consume(disputedEvent(second, 3, 'lost'));
    expect(await countsOf(home, branch)).toEqual([1, 1]);
    expect((await branch.state(ana)).body.total_spent_pence).toBe(0);
  });

  test('undoes, reviews and lists the stamps that were collected there, and logs them', async () => {
    const granted = (await branch.grant(ana)).body.stamp_id;
    const undoAt = (shop: Shop) => shop.post('stamps/undo', { store_id: shop.storeId, customer_id: ana, stamp_id: granted });
    expect((await undoAt(home)).body.error.code).toBe('STAMP_NOT_FOUND');
    expect((await undoAt(branch)).body).toMatchObject({ undone: true, current_stamps: 0 });
    const pending = await addPendingStamp(running, home, ana, branch.storeId);
    const list = async (shop: Shop) =>
      (await shop.get(`pending-stamps?store_id=${shop.storeId}&status=pending`)).body.stamps.map(
        ({ id, store_id }: { readonly id: string; readonly store_id: string }) => [id, store_id],
      );
    expect([await list(home), await list(branch)]).toEqual([[], [[pending, branch.storeId]]]);
    const reviewAt = (shop: Shop) => shop.post('stamps/review', { store_id: shop.storeId, stamp_id: pending, action: 'approve' });
    expect((await reviewAt(home)).body.error.code).toBe('STAMP_NOT_FOUND');
    expect((await reviewAt(branch)).body).toMatchObject({ stamp_count: 1 });
    const logOf = async (shop: Shop) => (await shop.get(`log?store_id=${shop.storeId}`)).body.entries.length;
    expect([await logOf(home), await logOf(branch)]).toEqual([0, 3]);
  });

  test('counts its own daily limit and its own monthly quota', async () => {
    await open({ goal: 9, daily_stamp_limit: 1, monthly_stamp_quota: 2 });
    const outcomes = [await home.grant(ana), await branch.grant(ana), await home.grant(ana), await branch.grant(ana)];
    expect(outcomes.map(({ body }) => body.error?.code ?? body.current_stamps)).toEqual([
      1,
      2,
      'DAILY_LIMIT_REACHED',
      'DAILY_LIMIT_REACHED',
    ]);
    await branch.grant(randomUUID());
    expect((await branch.grant(randomUUID())).body.error.code).toBe('MONTHLY_LIMIT_REACHED');
    expect((await home.grant(randomUUID())).status).toBe(200);
  });

  test('may use the grant keys of another, and a repeat at one store is one stamp', async () => {
    const stamps = [];
    for (const shop of [home, branch, branch, home]) stamps.push((await shop.grant(ana, 'the same key')).body);
    expect(stamps.map(({ idempotent }) => idempotent)).toEqual([false, false, true, true]);
    expect([stamps[2].stamp_id, stamps[3].stamp_id]).toEqual([stamps[1].stamp_id, stamps[0].stamp_id]);
  });

  test('sees who a customer is only when they have done something there', async () => {
    await home.pay(ana);
    const find = async (q: string) =>
      (await branch.get(`customers?store_id=${branch.storeId}&q=${q}`, await staffOf(running, branch.storeId, bo, 'manager'))).body
        .customers;
    expect(await find('ana')).not.toContainEqual(expect.objectContaining({ customer: expect.objectContaining({ id: ana }) }));
    expect(await find(ana)).toMatchObject([{ customer: { name: null, email: null, last_seen: null }, stamp_count: 1, order_count: 0 }]);
    expect((await branch.state(ana)).body).toMatchObject({ stamp_count: 1, email: null, order_count: 0, total_spent_pence: 0 });
    await branch.pay(ana);
    expect(await find(`${ana}@example.com`)).toMatchObject([{ customer: { name: 'Ana' }, stamp_count: 2, order_count: 1 }]);
    // A staff token of one store is refused at another store of the programme.
    expect((await branch.state(ana, await staffOf(running, home.storeId, cy))).status).toBe(403);
  });
});

describe('a store that joins or leaves', () => {
  test('leaves its earlier cards at rest, and finds them again when it leaves', async () => {
    await chain.rejoin();
    await branch.grant(ana);
    await chain.rejoin(branch);
    await home.grant(ana);
    expect(await countsOf(home, branch)).toEqual([1, 1]);
    await chain.rejoin();
    expect(await countsOf(home, branch)).toEqual([1, 1]);
    await branch.grant(ana);
    expect(await countsOf(home, branch)).toEqual([1, 2]);
  });

  test('redeems the vouchers of its earlier cards at its counter, and orders there do not use them', async () => {
    await chain.rejoin();
    const { id, code } = await fill(branch);
    await chain.rejoin(branch);
    expect([await codesAt(branch), await codesAt(home)]).toEqual([[code], []]);
    expect((await redeemByCode(home, code)).body.error.code).toBe('VOUCHER_NOT_FOUND');
    expect((await reserve(branch, id)).problem).toBe('VOUCHER_NOT_FOUND');
    expect((await redeemByCode(branch, code)).status).toBe(200);
    expect((await branch.events(ana)).at(-1)).toMatchObject({ type: 'voucher.redeemed', data: { store_id: branch.storeId } });
  });

  test('takes back an order’s stamps from the card that it was on, and repeats find their stamps', async () => {
    const order = await branch.pay(ana);
    const { stamp_id } = (await branch.grant(ana, 'a key')).body;
    await chain.rejoin();
    expect((await branch.grant(ana, 'a key')).body).toMatchObject({ stamp_id, idempotent: true });
    await running.consume(refundEvent(order, 3));
    expect(await countsOf(home, branch)).toEqual([1, 0]);
    expect((await branch.post('stamps/undo', { store_id: branch.storeId, customer_id: ana, stamp_id })).body.current_stamps).toBe(0);
    expect(await countsOf(home, branch)).toEqual([0, 0]);
  });

  test('puts an order that has reserved a voucher on the voucher’s card, also when it is paid after the store has left', async () => {
    const { id } = await fill(home);
    const order = paidOrder(branch.storeId, ana, { voucher_id: id });
    await reserve(branch, id, order.order_id);
    await chain.rejoin();
    await running.consume(paidEvent(order));
    expect([await codesAt(home), await countsOf(home, branch)]).toEqual([[], [1, 0]]);
    await running.consume(refundEvent(order, 3));
    expect([(await codesAt(home)).length, await countsOf(home, branch)]).toEqual([1, [0, 0]]);
  });

  test('is in the programme whose newer snapshot names it, and an older snapshot changes nothing', async () => {
    await running.consume(programmeOf(outside.storeId, { version: 2, store_ids: [branch.storeId] }));
    await outside.grant(ana);
    expect(await countsOf(home, branch)).toEqual([0, 1]);
    await running.consume(programmeOf(home.storeId, { version: 1, store_ids: [branch.storeId] }));
    expect(await countsOf(home, branch)).toEqual([0, 1]);
    // Its home does not take the store back from the other programme by leaving it out.
    await chain.rejoin();
    expect(await countsOf(branch)).toEqual([1]);
  });
});
