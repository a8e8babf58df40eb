import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { customerOf } from '../testing/events.ts';
import { addStaff, atCounter, refusalOf } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { addPendingStamp, anonymous, bo, cy, openShop, ownerOf, type Shop, staffOf } from '../testing/shop.ts';

let running: Running;
let shop: Shop;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  shop = await openShop(running, { goal: 3, multi_stamp: { staff_card_without_tap: 'accept' } });
});
afterAll(async () => await running[Symbol.asyncDispose]());

interface Row {
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly by: { readonly id: string; readonly name: string | null };
  readonly customer_id: string | null;
  readonly customer_name: string | null;
  readonly stamp_id: string | null;
  readonly voucher_id: string | null;
}

const log = (query: Record<string, string> = {}, token?: string, at = shop) =>
  at.get(`log?${new URLSearchParams({ store_id: at.storeId, ...query })}`, token);
const rows = async (query?: Record<string, string>) => (await log(query)).body.entries as readonly Row[];
const lines = async (query?: Record<string, string>) => (await rows(query)).map(({ title, by }) => [title, by.name]);
const post = async (path: string, body: object, by: { readonly id: string; readonly name: string }) =>
  (await shop.post(path, { store_id: shop.storeId, ...body }, await staffOf(running, shop.storeId, by))).body;

async function knownCustomer(name: string): Promise<string> {
  const id = randomUUID();
  await running.consume(customerOf(id, { name }));
  await shop.pay(id);
  return id;
}

describe('the log of a store’s cards', () => {
  test('says newest first what people did and who did it, and the events name them by id', async () => {
    const customer_id = await knownCustomer('Ana');
    const { stamp_id } = await post('stamps', { customer_id }, cy);
    await post('stamps/undo', { customer_id, stamp_id }, bo);
    const pending = await addPendingStamp(running, shop, customer_id);
    await post('stamps/review', { stamp_id: pending, action: 'approve' }, cy);
    await post('pending-stamps/resolve', { stamp_id: await addPendingStamp(running, shop, null), action: 'reject' }, cy);
    await post('stamps', { customer_id }, cy);
    const [voucher] = (await shop.state(customer_id)).body.active_vouchers;
    await post('redemptions', { customer_id, voucher_id: voucher.id }, bo);
    expect(await lines()).toEqual([
      ['Ana used a voucher: A coffee', 'Bo'],
      ['Ana was granted a stamp', 'Cy'],
      ['A stamp of a guest was rejected', 'Cy'],
      ['A stamp of Ana was approved', 'Cy'],
      ['A stamp of Ana was undone', 'Bo'],
      ['Ana was granted a stamp', 'Cy'],
    ]);
    const [redeemed, , rejected, approved] = await rows();
    expect(redeemed).toMatchObject({ at: '2026-05-01T11:00:00.000000Z', by: bo, voucher_id: voucher.id, stamp_id: null });
    expect(rejected).toMatchObject({ customer_id: null, customer_name: null });
    expect(approved).toMatchObject({ customer_id, customer_name: 'Ana', stamp_id: pending, voucher_id: null });
    const published = (await shop.events(customer_id)).map(({ type, data }) => [type, data.by_id]);
    expect(published).toEqual([
      ['customer.seen', undefined],
      ['stamp.approved', null],
      ['stamp.approved', cy.id],
      ['stamp.undone', bo.id],
      ['stamp.approved', cy.id],
      ['stamp.approved', cy.id],
      ['voucher.minted', null],
      ['voucher.redeemed', bo.id],
    ]);
    expect(JSON.stringify(await shop.events(customer_id))).not.toContain(cy.name);
  });

  test('says who confirmed several stamps at once, whose name is in the directory', async () => {
    const customer = await atCounter(running, shop, await addStaff(running, shop));
    await customer.request(2);
    await customer.confirm();
    expect(await lines()).toEqual([['A customer was given 2 stamps at once', 'Cy']]);
    const confirmed = (await shop.events(customer.id)).filter(({ type }) => type === 'multi_stamp.confirmed');
    expect(confirmed.map(({ data }) => data.by_id)).toEqual([(await rows())[0]?.by.id]);
  });

  test('names no customer who has done nothing at the store', async () => {
    const customer_id = randomUUID();
    await running.consume(customerOf(customer_id, { name: 'Ana' }));
    await post('stamps', { customer_id }, cy);
    expect(await rows()).toMatchObject([{ title: 'A customer was granted a stamp', customer_id, customer_name: null }]);
  });

  test('has one row for what is repeated, also at the same time, and every reply names who did it first', async () => {
    const customer_id = randomUUID();
    const idempotency_key = randomUUID();
    const grants = await Promise.all([1, 2, 3].map(() => post('stamps', { customer_id, idempotency_key }, cy)));
    const { stamp_id } = grants[0];
    const pending = await addPendingStamp(running, shop, customer_id);
    const reviews = [
      await post('stamps/review', { stamp_id: pending, action: 'approve' }, cy),
      await post('pending-stamps/resolve', { stamp_id: pending, action: 'approve' }, bo),
    ];
    const undos = [await post('stamps/undo', { customer_id, stamp_id }, cy), await post('stamps/undo', { customer_id, stamp_id }, bo)];
    expect([...grants, ...reviews, ...undos].map(({ by }) => by)).toEqual(Array(7).fill(cy));
    expect(await lines()).toEqual([
      ['A stamp of a customer was undone', 'Cy'],
      ['A stamp of a customer was approved', 'Cy'],
      ['A customer was granted a stamp', 'Cy'],
    ]);
    const listed = (await shop.get(`pending-stamps?store_id=${shop.storeId}&status=approved`)).body.stamps;
    expect(listed).toMatchObject([{ id: pending, by: cy }]);
  });
});

describe('pages', () => {
  test('follow each other without a gap or a repeat, also of rows of one instant', async () => {
    for (const _ of [1, 2, 3, 4, 5]) await shop.grant(randomUUID());
    const all = (await rows()).map(({ id }) => id);
    const pages: string[] = [];
    for (let before: string | undefined; pages.length < 5; before = pages.at(-1))
      pages.push(...(await rows({ limit: '2', ...(before ? { before } : {}) })).map(({ id }) => id));
    expect(pages).toEqual(all);
    expect(await rows({ before: all.at(-1) as string })).toEqual([]);
  });

  test('of a day hold what was done on that day by the store’s clock', async () => {
    running.clock.set('2026-04-30T22:59:00Z');
    await shop.grant(randomUUID());
    running.clock.set('2026-04-30T23:00:00Z');
    await shop.grant(randomUUID());
    await shop.grant(randomUUID());
    expect([(await rows({ day: '2026-04-30' })).length, (await rows({ day: '2026-05-01' })).length]).toEqual([1, 2]);
  });
});

describe('the log is refused', () => {
  test('for a row of another store as a cursor, and shows no row of another store', async () => {
    const other = await openShop(running);
    await other.grant(randomUUID());
    const [foreign] = (await log({}, undefined, other)).body.entries;
    expect(await refusalOf(log({ before: foreign.id }))).toEqual([400, 'INVALID_CURSOR']);
    expect(await rows()).toEqual([]);
  });

  test('for an unknown store, a day that is none, a cursor that is no id and a page that is too long', async () => {
    const unknown = randomUUID();
    expect(await refusalOf(log({ store_id: unknown }, await ownerOf(running, unknown)))).toEqual([404, 'STORE_NOT_FOUND']);
    for (const bad of [{ day: '2026-02-30' }, { before: 'x' }, { limit: '101' }])
      expect(await refusalOf(log(bad))).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('to guests, customers and the staff of another store', async () => {
    const tokens = [anonymous, await running.issuer.token({ typ: 'customer' }), await staffOf(running, randomUUID())];
    expect(await Promise.all(tokens.map((token) => refusalOf(log({}, token))))).toEqual([
      [401, 'UNAUTHENTICATED'],
      [403, 'WRONG_TOKEN_TYPE'],
      [403, 'STORE_FORBIDDEN'],
    ]);
  });
});
