// covers: redeemVoucherByCode, lookUpVoucher
import { randomUUID } from 'node:crypto';
import { reserveVoucher } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refundEvent } from '../testing/events.ts';
import { refusalOf } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { anonymous, cy, openShop, ownerOf, type Shop, staffOf } from '../testing/shop.ts';
import { expireVouchers } from './entry-points.ts';

let running: Running;
let shop: Shop;

beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running, { goal: 2 });
});
afterAll(async () => await running[Symbol.asyncDispose]());

const redeem = async (code: string, token?: string, headers: Record<string, string> = {}) =>
  await shop.post('redemptions/by-code', { store_id: shop.storeId, code }, token ?? (await staffOf(running, shop.storeId)), headers);

async function withVoucher(at = shop) {
  const customer = randomUUID();
  await at.grant(customer);
  const { voucher_code: code } = (await at.grant(customer)).body as { voucher_code: string };
  const [voucher] = (await at.state(customer)).body.active_vouchers as { id: string }[];
  return { customer, code, id: voucher?.id ?? '' };
}

describe('a voucher’s code', () => {
  test('redeems it, in lower case and with spaces and hyphens too, and the reply and the log name who did it', async () => {
    const { customer, code, id } = await withVoucher();
    const typed = ` ${code.slice(0, 4).toLowerCase()} ${code.slice(4, 7)}–${code.slice(7)}\u200b `;
    const { status, body } = await redeem(typed);
    expect([status, body]).toEqual([
      200,
      { voucher_id: id, redemption_code: code, reward_title: 'A coffee', customer_id: customer, by: cy },
    ]);
    expect((await shop.state(customer)).body.active_vouchers).toEqual([]);
    const [event] = (await shop.events(customer)).filter(({ type }) => type === 'voucher.redeemed');
    expect(event?.data).toMatchObject({ voucher_id: id, by_id: cy.id });
    const [row] = (await shop.get(`log?store_id=${shop.storeId}`)).body.entries;
    expect(row).toMatchObject({ title: 'A customer used a voucher: A coffee', by: cy, voucher_id: id });
  });

  test('redeems it once, however many requests are concurrent, also beside those that name its id', async () => {
    const { customer, code, id } = await withVoucher();
    const byId = () => shop.post('redemptions', { store_id: shop.storeId, customer_id: customer, voucher_id: id });
    const responses = await Promise.all([redeem(code), byId(), redeem(code), byId(), redeem(code)]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.error?.code === 'VOUCHER_ALREADY_REDEEMED')).toHaveLength(4);
    expect((await shop.events(customer)).filter(({ type }) => type === 'voucher.redeemed')).toHaveLength(1);
  });

  test('returns the first response to a repeat with the same Idempotency-Key', async () => {
    const { code } = await withVoucher();
    const key = { 'idempotency-key': randomUUID() };
    const first = await redeem(code, undefined, key);
    expect([first.status, await redeem(code, undefined, key)]).toEqual([200, first]);
  });
});

describe('a voucher is looked up by its code', () => {
  const lookUp = async (code: string, token?: string) =>
    await shop.post('vouchers/look-up', { store_id: shop.storeId, code }, token ?? (await staffOf(running, shop.storeId)));

  test('which says what it gives and redeems nothing', async () => {
    const { code, id } = await withVoucher();
    const looked = await lookUp(` ${code.toLowerCase()} `);
    expect([looked.status, looked.body]).toEqual([200, { voucher_id: id, reward_title: 'A coffee', expires_at: expect.any(String) }]);
    expect([(await lookUp(code)).status, (await redeem(code)).status]).toEqual([200, 200]);
    expect(await refusalOf(lookUp(code))).toEqual([409, 'VOUCHER_ALREADY_REDEEMED']);
  });

  test('and is refused as a redemption would be', async () => {
    const elsewhere = await withVoucher(await openShop(running, { goal: 2 }));
    for (const code of ['not a code', '2222222222', elsewhere.code])
      expect(await refusalOf(lookUp(code))).toEqual([404, 'VOUCHER_NOT_FOUND']);
    const { customer, code, id } = await withVoucher();
    const held = { order_id: randomUUID(), voucher_id: id, customer_id: customer, store_id: shop.storeId };
    await running.call(reserveVoucher, { ...held, until: '2026-05-01T11:25:00Z', asked_at: running.clock.now().toISOString() });
    expect(await refusalOf(lookUp(code))).toEqual([409, 'VOUCHER_RESERVED']);
    const late = await withVoucher();
    running.clock.set('2026-08-01T00:00:00Z');
    expect(await refusalOf(lookUp(late.code))).toEqual([409, 'VOUCHER_EXPIRED']);
    running.clock.set('2026-05-01T11:00:00Z');
    expect(await refusalOf(lookUp(code, anonymous))).toEqual([401, 'UNAUTHENTICATED']);
    expect(await refusalOf(lookUp(code, await ownerOf(running, randomUUID())))).toEqual([403, 'STORE_FORBIDDEN']);
  });
});

describe('a redemption by code is refused', () => {
  test('for a text that is no code, a code that no voucher has, and a voucher of another store, all alike', async () => {
    const elsewhere = await withVoucher(await openShop(running, { goal: 2 }));
    for (const code of ['7K2M9QXR', 'not a code', '2222222222', elsewhere.code, elsewhere.id])
      expect(await refusalOf(redeem(code))).toEqual([404, 'VOUCHER_NOT_FOUND']);
  });

  test('for a voucher that an unpaid order has reserved, one that was voided, and one past its last day', async () => {
    const { customer, code, id } = await withVoucher();
    const held = { order_id: randomUUID(), voucher_id: id, customer_id: customer, store_id: shop.storeId };
    await running.call(reserveVoucher, { ...held, until: '2026-05-01T11:25:00Z', asked_at: running.clock.now().toISOString() });
    expect(await refusalOf(redeem(code))).toEqual([409, 'VOUCHER_RESERVED']);

    const refunded = randomUUID();
    const order = await shop.pay(refunded);
    const { voucher_code } = (await shop.grant(refunded)).body;
    await running.consume(refundEvent(order, 3));
    expect(await refusalOf(redeem(voucher_code))).toEqual([409, 'VOUCHER_VOIDED']);

    const late = await withVoucher();
    running.clock.set('2026-08-01T00:00:00Z');
    expect(await refusalOf(redeem(late.code))).toEqual([409, 'VOUCHER_EXPIRED']);
    await expireVouchers(running.service.context);
    expect(await refusalOf(redeem(late.code))).toEqual([409, 'VOUCHER_EXPIRED']);
    running.clock.set('2026-05-01T11:00:00Z');
  });

  test('without a token, to a customer and to the staff of another store', async () => {
    const { code } = await withVoucher();
    expect(await refusalOf(redeem(code, anonymous))).toEqual([401, 'UNAUTHENTICATED']);
    expect(await refusalOf(redeem(code, await running.issuer.token({ typ: 'customer' })))).toEqual([403, 'WRONG_TOKEN_TYPE']);
    expect(await refusalOf(redeem(code, await ownerOf(running, randomUUID())))).toEqual([403, 'STORE_FORBIDDEN']);
    expect((await redeem(code)).status).toBe(200);
  });
});
