// covers: listMyCards, readCardHistory

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { disputedEvent, type Paid, refundEvent } from '../testing/events.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { addPendingStamp, customerToken, openShop, type Shop } from '../testing/shop.ts';
import { expireVouchers } from '../vouchers/entry-points.ts';

let running: Running;
let shop: Shop;

beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly change: number;
  readonly count_after: number;
  readonly owed_after: number;
  readonly source: string | null;
  readonly lost_by: string | null;
}

const readAs = async (customer: string, path: string) => await shop.get(path, await customerToken(running, customer));
const historyOf = async (customer: string, query = '', at = shop): Promise<readonly Entry[]> =>
  (await readAs(customer, `mine/${at.storeId}/history${query}`)).body.entries;
/** Runs `work` a minute later: entries of one instant have no order. */
async function later<T>(work: () => Promise<T>): Promise<T> {
  running.clock.advance({ minutes: 1 });
  return await work();
}
const shownOf = (entries: readonly Entry[]) =>
  entries.map(({ kind, change, count_after, source, lost_by }) => [kind, change, count_after, source ?? lost_by]);

test('a customer reads each card with its stores, its stamps and its vouchers, and no other customer does', async () => {
  const ana = randomUUID();
  expect((await readAs(ana, 'mine')).body).toEqual({ cards: [] });
  const other = await openShop(running, { goal: 5 });
  await shop.pay(ana);
  for (let n = 0; n < 3; n += 1) await other.pay(ana);
  await addPendingStamp(running, other, ana);
  const { cards } = (await readAs(ana, 'mine')).body;
  expect(cards).toHaveLength(2);
  const atShop = cards.find(({ programme_id }: { programme_id: string }) => programme_id === shop.storeId);
  expect(atShop).toMatchObject({
    stores: [{ id: shop.storeId, code: 'S1', name: expect.any(String) }],
    stamp_count: 1,
    owed: 0,
    pending: 0,
    goal: 3,
    reward_name: 'A coffee',
    enabled: true,
    driver: 'orders',
    stamps_per_order: 1,
    active_vouchers: [],
    memberships: [],
    order_count: 1,
    look: { background_type: expect.any(String) },
  });
  expect(cards.find(({ programme_id }: { programme_id: string }) => programme_id === other.storeId)).toMatchObject({
    stamp_count: 3,
    pending: 1,
    goal: 5,
  });
  expect((await readAs(randomUUID(), 'mine')).body.cards).toEqual([]);
});

test('the history says what each stamp was for, what became of the reward, and why a stamp was lost', async () => {
  const ana = randomUUID();
  const orders = [await later(() => shop.pay(ana)), await later(() => shop.pay(ana))];
  const { body: granted } = await later(() => shop.grant(ana));
  expect(granted.current_stamps).toBe(0);
  const { active_vouchers: vouchers } = (await shop.state(ana)).body;
  const redemption = { store_id: shop.storeId, customer_id: ana, voucher_id: vouchers[0].id };
  expect((await later(() => shop.post('redemptions', redemption))).status).toBe(200);
  // Its stamp was used: the card owes one, and the next stamp pays it back.
  await later(() => running.consume(refundEvent(orders[0] as Paid, 3)));
  await later(() => shop.pay(ana));
  const entries = await historyOf(ana);
  expect(shownOf(entries.toReversed())).toEqual([
    ['stamp', 1, 1, 'order'],
    ['stamp', 1, 2, 'order'],
    ['stamp', 1, 3, 'hub'],
    ['voucher_earned', -3, 0, null],
    ['voucher_used', 0, 0, null],
    ['stamp_lost', -1, 0, 'order'],
    ['stamp', 1, 0, 'order'],
  ]);
  expect(entries.find(({ kind }) => kind === 'stamp_lost')).toMatchObject({
    lost_by: 'refund',
    owed_after: 1,
    order_id: orders[0]?.order_id,
  });
  const [first, second] = [
    await historyOf(ana, '?limit=4'),
    await historyOf(ana, `?limit=4&before=${encodeURIComponent(entries[3]?.id ?? '')}`),
  ];
  expect([...first, ...second]).toEqual(entries);
});

test('a lost dispute, a correction and a rejection are distinguished, and a voucher that is taken back gives its stamps back', async () => {
  const ana = randomUUID();
  const { body: mistake } = await shop.grant(ana);
  await shop.post('stamps/undo', { store_id: shop.storeId, customer_id: ana, stamp_id: mistake.stamp_id });
  const order = await shop.pay(ana);
  await shop.grant(ana);
  const { body } = await shop.grant(ana);
  expect(body.current_stamps).toBe(0);
  await running.consume(disputedEvent(order, 3), disputedEvent(order, 4, 'lost'));
  const pending = await addPendingStamp(running, shop, ana);
  await shop.post('stamps/review', { store_id: shop.storeId, stamp_id: pending, action: 'reject' });
  const entries = await historyOf(ana);
  expect(entries.flatMap(({ lost_by }) => lost_by ?? []).toSorted()).toEqual(['correction', 'dispute', 'rejection']);
  expect(entries.filter(({ kind }) => kind.startsWith('voucher')).map(({ kind, change }) => [kind, change])).toEqual([
    ['voucher_taken_back', 3],
    ['voucher_earned', -3],
  ]);
  const { stamp_count } = (await shop.state(ana)).body;
  expect([entries.reduce((sum, { change }) => sum + change, 0), entries[0]?.count_after]).toEqual([stamp_count, stamp_count]);
});

test('a stamp that is taken back after its voucher expired unused owes nothing, and the history says so', async () => {
  const ana = randomUUID();
  const orders = [await later(() => shop.pay(ana)), await later(() => shop.pay(ana)), await later(() => shop.pay(ana))];
  running.clock.advance({ hours: 24 * 400 });
  await expireVouchers(running.service.context);
  await running.consume(refundEvent(orders[0] as Paid, 3));
  const entries = await historyOf(ana);
  expect(entries.slice(0, 2).map(({ kind, change, owed_after }) => [kind, change, owed_after])).toEqual([
    ['stamp_lost', 0, 0],
    ['voucher_expired', 0, 0],
  ]);
  expect([entries.reduce((sum, { change }) => sum + change, 0), (await readAs(ana, 'mine')).body.cards[0].owed]).toEqual([0, 0]);
});

test('an unknown store and an unknown entry are refused', async () => {
  const ana = randomUUID();
  expect((await readAs(ana, `mine/${randomUUID()}/history`)).body.error.code).toBe('STORE_NOT_FOUND');
  expect((await readAs(ana, `mine/${shop.storeId}/history?before=stamp:1`)).body.error.code).toBe('INVALID_CURSOR');
});

test('a card that has not changed is not sent again', async () => {
  const ana = randomUUID();
  await shop.pay(ana);
  const read = async (headers: Record<string, string> = {}) =>
    await fetch(`${running.service.url}/api/v1/loyalty/mine`, {
      headers: { authorization: `Bearer ${await customerToken(running, ana)}`, ...headers },
    });
  const etag = (await read()).headers.get('etag') ?? '';
  expect((await read({ 'if-none-match': etag })).status).toBe(304);
  await shop.pay(ana);
  expect((await read({ 'if-none-match': etag })).status).toBe(200);
});
