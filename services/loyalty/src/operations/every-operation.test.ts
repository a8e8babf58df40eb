import { randomUUID } from 'node:crypto';
import { type AnyOperation, loyalty } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { atCounter, hire, refusalOf } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { type Answered, customerToken, nobody, openShop, ownerOf, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
let elsewhere: Shop;
beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running);
  elsewhere = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

type Name = keyof typeof loyalty;
const contracts: Readonly<Record<Name, AnyOperation>> = loyalty;
const names = Object.keys(loyalty) as Name[];
const customers: readonly Name[] = ['cancelMultiStamp', 'confirmMultiStamp', 'requestMultiStamp', 'multiStampStatus', 'syncOfflineStamps'];
const open: readonly Name[] = ['generateStampCode', 'redeemStampCode'];
const merchants = names.filter((name) => !customers.includes(name) && !open.includes(name));

/** The example of the documents, at the shop. Fields given in `more` take the place of its own. */
function ask(name: Name, token: string, more: Record<string, unknown> = {}): Promise<Answered> {
  const { method, path, example } = contracts[name];
  const { query, body } = example as { query?: Record<string, unknown>; body?: Record<string, unknown> };
  const fields = query ?? body ?? {};
  const here = merchants.includes(name) || name === 'generateStampCode' ? { store_id: shop.storeId } : {};
  const whole = Object.fromEntries(Object.entries({ ...fields, ...here, ...more }).filter(([, value]) => value !== undefined));
  const deed = path.replace('/api/v1/loyalty/', '');
  return method === 'GET'
    ? shop.get(`${deed}?${new URLSearchParams(whole as Record<string, string>)}`, token)
    : shop.post(deed, whole, token);
}

/** Whoever may call it. */
const fitting = async (name: Name): Promise<string> =>
  merchants.includes(name) ? await ownerOf(running, shop.storeId) : await customerToken(running, randomUUID());

describe('bad input is refused, and the field is named', () => {
  const bad: readonly [Name, Record<string, unknown>, string][] = [
    ['customerState', { customer_id: 'ana' }, 'customer_id'],
    ['cancelMultiStamp', { request_id: 'none' }, 'request_id'],
    ['confirmMultiStamp', { store_code: '' }, 'store_code'],
    ['confirmMultiStamp', { request_id: '1' }, 'request_id'],
    ['requestMultiStamp', { requested_stamps: 1.5 }, 'requested_stamps'],
    ['requestMultiStamp', { requested_stamps: 0 }, 'requested_stamps'],
    ['multiStampStatus', { store_code: undefined }, 'store_id'],
    ['multiStampStatus', { store_id: 'S1' }, 'store_id'],
    ['listPendingStamps', { status: 'lost' }, 'status'],
    ['resolvePendingStamp', { action: 'forget' }, 'action'],
    ['redeemVoucher', { voucher_id: undefined }, 'voucher_id'],
    ['generateStampCode', { ttl_seconds: 14 }, 'ttl_seconds'],
    ['generateStampCode', { ttl_seconds: 301 }, 'ttl_seconds'],
    ['generateStampCode', { device_info: 'x'.repeat(513) }, 'device_info'],
    ['redeemStampCode', { code: 'X'.repeat(33) }, 'code'],
    ['redeemStampCode', { expected_store_id: 'S1' }, 'expected_store_id'],
    ['grantStamp', { idempotency_key: 'x'.repeat(256) }, 'idempotency_key'],
    ['grantStamp', { idempotency_key: 'a\u0000b' }, 'idempotency_key'],
    ['grantStamp', { customer_id: null }, 'customer_id'],
    ['reviewStamp', { stamp_id: 7 }, 'stamp_id'],
    ['syncOfflineStamps', { stamps: [] }, 'stamps'],
    ['syncOfflineStamps', { stamps: Array(21).fill({}) }, 'stamps'],
    ['undoStamp', { stamp_id: '' }, 'stamp_id'],
  ];
  test('of every operation', () => expect(new Set(bad.map(([name]) => name))).toEqual(new Set(names)));
  test.each(bad)('%s', async (name, more, field) => {
    const { status, body } = await ask(name, await fitting(name), more);
    expect([status, body.error?.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.message).toContain(field);
  });
});

describe('the wrong caller is refused', () => {
  test.each(names.filter((name) => !open.includes(name)))('%s: nobody, a forged token, one past its end', async (name) => {
    const { bad } = running.issuer;
    const claims = { typ: merchants.includes(name) ? 'merchant' : 'customer' } as const;
    for (const token of [nobody, await bad.forged(claims), await bad.expired(claims)])
      expect(await refusalOf(ask(name, token))).toEqual([401, 'UNAUTHENTICATED']);
  });

  test.each(open)('%s: anybody may, but not with a token that is none', async (name) => {
    expect((await ask(name, nobody)).body.error?.code).not.toBe('UNAUTHENTICATED');
    expect(await refusalOf(ask(name, await running.issuer.bad.forged({ typ: 'customer' })))).toEqual([401, 'UNAUTHENTICATED']);
  });

  test.each(merchants)('%s: a customer, and the owner of another store', async (name) => {
    const token = await running.issuer.token({ typ: 'customer', scope: 'merchant:read' });
    expect(await refusalOf(ask(name, token))).toEqual([403, 'WRONG_TOKEN_TYPE']);
    expect(await refusalOf(ask(name, await ownerOf(running, elsewhere.storeId)))).toEqual([403, 'STORE_FORBIDDEN']);
  });

  test.each(customers)('%s: the store’s owner', async (name) => {
    expect(await refusalOf(ask(name, await ownerOf(running, shop.storeId)))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });
});

/** A stamp that waits at a shop, of a customer or of nobody. */
async function waitingAt({ storeId }: Shop, customerId: string | null = randomUUID()): Promise<string> {
  const id = randomUUID();
  await running.service.database.query(sql.type(z.object({}))`
    insert into stamp (id, store_id, customer_id, status, source, approval_reason, created_at)
    values (${id}, ${storeId}, ${customerId}, 'pending', 'nfc', 'no_proof', ${running.clock.now().toISOString()})`);
  return id;
}

describe('what is another store’s is answered as what is not there: the same words, after the same work', () => {
  /** What is told, and what was asked of the database for it. */
  const learnt = async (asking: Promise<Answered>) => {
    running.statements.length = 0;
    const { status, body } = await asking;
    // The schedules' own, which come when they come, work by the lot.
    const statements = running.statements.filter(
      (text) => /stamp|voucher|card|programme/.test(text) && !/limit 1?000|limit 200|reserved_until </.test(text),
    );
    return { status, error: { ...body.error, requestId: '' }, statements };
  };

  test.each(['resolvePendingStamp', 'reviewStamp', 'undoStamp'] as const)('%s', async (name) => {
    const customer_id = randomUUID();
    const { stamp_id } = (await elsewhere.grant(customer_id)).body;
    const theirs = await learnt(ask(name, await fitting(name), { stamp_id, customer_id }));
    expect([theirs.status, theirs.error.code]).toEqual([404, 'STAMP_NOT_FOUND']);
    expect(await learnt(ask(name, await fitting(name), { stamp_id: randomUUID(), customer_id }))).toEqual(theirs);
  });

  test('redeemVoucher', async () => {
    const quick = await openShop(running, { goal: 1 });
    const customer_id = randomUUID();
    await quick.grant(customer_id);
    const [voucher] = (await quick.state(customer_id)).body.active_vouchers;
    const theirs = await learnt(ask('redeemVoucher', await fitting('redeemVoucher'), { customer_id, voucher_id: voucher.id }));
    expect([theirs.status, theirs.error.code]).toEqual([404, 'VOUCHER_NOT_FOUND']);
    expect(await learnt(ask('redeemVoucher', await fitting('redeemVoucher'), { customer_id, voucher_id: randomUUID() }))).toEqual(theirs);
    expect((await quick.state(customer_id)).body.active_vouchers).toHaveLength(1);
  });

  test('grantStamp: a key used at another store is free here', async () => {
    const [customer, key] = [randomUUID(), randomUUID()];
    const theirs = await elsewhere.grant(customer, key);
    const ours = await shop.grant(customer, key);
    expect([ours.body.idempotent, ours.body.stamp_id === theirs.body.stamp_id]).toEqual([false, false]);
  });

  test('listPendingStamps: none of them, and at most a hundred of one’s own', async () => {
    const [busy, quiet] = [await openShop(running), await openShop(running)];
    for (let n = 0; n < 101; n += 1) await waitingAt(busy);
    const list = async (at: Shop) => (await at.get(`pending-stamps?store_id=${at.storeId}&status=pending`)).body.stamps.length;
    expect([await list(busy), await list(quiet)]).toEqual([100, 0]);
    expect((await busy.get(`pending-stamps?store_id=${busy.storeId}`)).body.stamps).toHaveLength(100);
  });
});

test('answers are never kept by a cache, and say which request they answer', async () => {
  const response = await fetch(`${running.service.url}/api/v1/loyalty/multi-stamp/status?store_id=${shop.storeId}`, {
    headers: { authorization: `Bearer ${await customerToken(running, randomUUID())}`, 'x-request-id': 'req-of-mine' },
  });
  expect([response.headers.get('cache-control'), response.headers.get('x-request-id')]).toEqual(['no-store', 'req-of-mine']);
});

describe('twice is once under one Idempotency-Key', () => {
  const twice = async (path: string, body: object, token?: string) => {
    const headers = { 'idempotency-key': randomUUID() };
    const by = token ?? (await ownerOf(running, shop.storeId));
    const [first, again] = [await shop.post(path, body, by, headers), await shop.post(path, body, by, headers)];
    expect(again).toEqual(first);
    return first;
  };
  const own = (more: object) => ({ store_id: shop.storeId, ...more });

  test('of redeeming, undoing, resolving and reviewing, whose answers would differ else', async () => {
    const [customer_id, collector] = [randomUUID(), randomUUID()];
    for (let n = 0; n < 3; n += 1) await shop.grant(collector);
    const granted = await twice('stamps', own({ customer_id }));
    expect(granted.body.idempotent).toBe(false);
    await twice('stamps/undo', own({ customer_id, stamp_id: granted.body.stamp_id }));
    const resolved = await twice('pending-stamps/resolve', own({ stamp_id: await waitingAt(shop), action: 'approve' }));
    expect(resolved.body.result.already_approved).toBe(false);
    const reviewed = await twice('stamps/review', own({ stamp_id: await waitingAt(shop), action: 'approve' }));
    expect(reviewed.body.message).toBe('The stamp is approved.');
    const [voucher] = (await shop.state(collector)).body.active_vouchers;
    const redeemed = await twice('redemptions', own({ customer_id: collector, voucher_id: voucher.id }));
    expect(redeemed.body.redemption_code).toBe(voucher.code);
  });

  test('of asking, cancelling and syncing', async () => {
    const member = await hire(running, shop);
    const { token } = await atCounter(running, shop, member);
    const asked = await twice('multi-stamp/request', own({ requested_stamps: 1 }), token);
    const cancelled = await twice('multi-stamp/cancel', { request_id: asked.body.request_id }, token);
    expect(cancelled.body.previous_status).toBe('pending');
    const synced = await twice('stamps/sync-offline', { stamps: [{ receipt_id: 'one', store_code: shop.storeId }] }, token);
    expect(synced.body.results[0].duplicate).toBe(false);
  });
});
