import { randomUUID } from 'node:crypto';
import { type AnyOperation, loyalty } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addStaff, atCounter, refusalOf } from './testing/multi-stamp.ts';
import { type Running, startRunning } from './testing/running.ts';
import { addPendingStamp, anonymous, customerToken, openShop, ownerOf, type Shop, type TestResponse } from './testing/shop.ts';

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

const customers: readonly Name[] = [
  ...(['cancelMultiStamp', 'confirmMultiStamp', 'requestMultiStamp', 'multiStampStatus', 'syncOfflineStamps'] as const),
  ...(['listMyCards', 'readCardHistory'] as const),
];

const open: readonly Name[] = ['generateStampCode', 'redeemStampCode'];

const merchants = names.filter((name) => !customers.includes(name) && !open.includes(name));

function request(name: Name, token: string, more: Record<string, unknown> = {}): Promise<TestResponse> {
  const { method, path, example } = contracts[name];
  const { query, body } = example as { query?: Record<string, unknown>; body?: Record<string, unknown> };
  const fields = query ?? body ?? {};
  const here = merchants.includes(name) || name === 'generateStampCode' ? { store_id: shop.storeId } : {};
  const whole = Object.fromEntries(Object.entries({ ...fields, ...here, ...more }).filter(([, value]) => value !== undefined));
  const route = path.replace('/api/v1/loyalty/', '').replace('{store_id}', shop.storeId);
  return method === 'GET'
    ? shop.get(`${route}?${new URLSearchParams(whole as Record<string, string>)}`, token)
    : shop.post(route, whole, token);
}

const validToken = async (name: Name): Promise<string> =>
  merchants.includes(name) ? await ownerOf(running, shop.storeId) : await customerToken(running, randomUUID());

describe('bad input', () => {
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
    ['listGuestStamps', { limit: '101' }, 'limit'],
    ['resolvePendingStamp', { action: 'forget' }, 'action'],
    ['redeemVoucher', { voucher_id: undefined }, 'voucher_id'],
    ['generateStampCode', { ttl_seconds: 14 }, 'ttl_seconds'],
    ['generateStampCode', { ttl_seconds: 301 }, 'ttl_seconds'],
    ['generateStampCode', { device_info: 'x'.repeat(513) }, 'device_info'],
    ['redeemStampCode', { code: 'X'.repeat(33) }, 'code'],
    ['redeemStampCode', { device_info: 'x'.repeat(513) }, 'device_info'],
    ['redeemStampCode', { expected_store_id: 'S1' }, 'expected_store_id'],
    ['grantStamp', { idempotency_key: 'x'.repeat(256) }, 'idempotency_key'],
    ['grantStamp', { idempotency_key: 'a\u0000b' }, 'idempotency_key'],
    ['grantStamp', { customer_id: null }, 'customer_id'],
    ['reviewStamp', { stamp_id: 7 }, 'stamp_id'],
    ['syncOfflineStamps', { stamps: [] }, 'stamps'],
    ['syncOfflineStamps', { stamps: Array(21).fill({}) }, 'stamps'],
    ['undoStamp', { stamp_id: '' }, 'stamp_id'],
    ['findCustomers', { q: '' }, 'q'],
    ['redeemVoucherByCode', { code: ' ' }, 'code'],
    ['lookUpVoucher', { code: ' ' }, 'code'],
    ['listLoyaltyLog', { before: 'x' }, 'before'],
    ['readCardHistory', { limit: '101' }, 'limit'],
    ['readStampEvidence', { from: '2026-11-02', to: '2026-11-01' }, 'to'],
  ];
  // listMyCards takes no input.
  test('is tested for every operation', () => expect(new Set([...bad.map(([name]) => name), 'listMyCards'])).toEqual(new Set(names)));
  test.each(bad)('is refused by %s with %j, and the field is named', async (name, more, field) => {
    const { status, body } = await request(name, await validToken(name), more);
    expect([status, body.error?.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.message).toContain(field);
  });
});

describe('the wrong caller', () => {
  test.each(names.filter((name) => !open.includes(name)))(
    'is refused by %s: a request without a token, with a forged token and with an expired token',
    async (name) => {
      const { bad } = running.issuer;
      const claims = { typ: merchants.includes(name) ? 'merchant' : 'customer' } as const;
      for (const token of [anonymous, await bad.forged(claims), await bad.expired(claims)])
        expect(await refusalOf(request(name, token))).toEqual([401, 'UNAUTHENTICATED']);
    },
  );

  test.each(open)('is refused by %s with a forged token, but not without a token', async (name) => {
    expect((await request(name, anonymous)).body.error?.code).not.toBe('UNAUTHENTICATED');
    expect(await refusalOf(request(name, await running.issuer.bad.forged({ typ: 'customer' })))).toEqual([401, 'UNAUTHENTICATED']);
  });

  test.each(merchants)('is refused by %s: a customer, and the owner of another store', async (name) => {
    const token = await running.issuer.token({ typ: 'customer', scope: 'merchant:read' });
    expect(await refusalOf(request(name, token))).toEqual([403, 'WRONG_TOKEN_TYPE']);
    expect(await refusalOf(request(name, await ownerOf(running, elsewhere.storeId)))).toEqual([403, 'STORE_FORBIDDEN']);
  });

  test.each(customers)('is refused by %s: the owner of the store', async (name) => {
    expect(await refusalOf(request(name, await ownerOf(running, shop.storeId)))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });
});

describe('another store’s stamp or voucher is refused like a missing one, after the same statements', () => {
  const responseAndStatements = async (sent: Promise<TestResponse>) => {
    running.statements.length = 0;
    const { status, body } = await sent;
    return { status, error: { ...body.error, requestId: '' }, statements: [...running.statements] };
  };

  test.each(['resolvePendingStamp', 'reviewStamp', 'undoStamp'] as const)('by %s', async (name) => {
    const customer_id = randomUUID();
    const { stamp_id } = (await elsewhere.grant(customer_id)).body;
    const theirs = await responseAndStatements(request(name, await validToken(name), { stamp_id, customer_id }));
    expect([theirs.status, theirs.error.code]).toEqual([404, 'STAMP_NOT_FOUND']);
    expect(await responseAndStatements(request(name, await validToken(name), { stamp_id: randomUUID(), customer_id }))).toEqual(theirs);
  });

  test('by redeemVoucher', async () => {
    const quick = await openShop(running, { goal: 1 });
    const customer_id = randomUUID();
    await quick.grant(customer_id);
    const [voucher] = (await quick.state(customer_id)).body.active_vouchers;
    const theirs = await responseAndStatements(
      request('redeemVoucher', await validToken('redeemVoucher'), { customer_id, voucher_id: voucher.id }),
    );
    expect([theirs.status, theirs.error.code]).toEqual([404, 'VOUCHER_NOT_FOUND']);
    expect(
      await responseAndStatements(request('redeemVoucher', await validToken('redeemVoucher'), { customer_id, voucher_id: randomUUID() })),
    ).toEqual(theirs);
    expect((await quick.state(customer_id)).body.active_vouchers).toHaveLength(1);
  });

  test('and a grant key used at another store is free at this one', async () => {
    const [customer, key] = [randomUUID(), randomUUID()];
    const theirs = await elsewhere.grant(customer, key);
    const ours = await shop.grant(customer, key);
    expect([ours.body.idempotent, ours.body.stamp_id === theirs.body.stamp_id]).toEqual([false, false]);
  });

  test('and listPendingStamps lists at most a hundred stamps, all of its own store', async () => {
    const [busy, quiet] = [await openShop(running), await openShop(running)];
    for (let n = 0; n < 101; n += 1) await addPendingStamp(running, busy);
    const list = async (at: Shop) => (await at.get(`pending-stamps?store_id=${at.storeId}&status=pending`)).body.stamps.length;
    expect([await list(busy), await list(quiet)]).toEqual([100, 0]);
    expect((await busy.get(`pending-stamps?store_id=${busy.storeId}`)).body.stamps).toHaveLength(100);
  });
});

test('responses are not cached, and carry the id of their request', async () => {
  const response = await fetch(`${running.service.url}/api/v1/loyalty/multi-stamp/status?store_id=${shop.storeId}`, {
    headers: { authorization: `Bearer ${await customerToken(running, randomUUID())}`, 'x-request-id': 'req-of-mine' },
  });
  expect([response.headers.get('cache-control'), response.headers.get('x-request-id')]).toEqual(['no-store', 'req-of-mine']);
});

describe('a repeat with the same Idempotency-Key', () => {
  const twice = async (path: string, body: object, token?: string) => {
    const headers = { 'idempotency-key': randomUUID() };
    const by = token ?? (await ownerOf(running, shop.storeId));
    const [first, again] = [await shop.post(path, body, by, headers), await shop.post(path, body, by, headers)];
    expect(again).toEqual(first);
    return first;
  };
  const own = (more: object) => ({ store_id: shop.storeId, ...more });

  test('returns the first response of granting, undoing, resolving, reviewing and redeeming', async () => {
    const [customer_id, collector] = [randomUUID(), randomUUID()];
    for (let n = 0; n < 3; n += 1) await shop.grant(collector);
    const granted = await twice('stamps', own({ customer_id }));
    expect(granted.body.idempotent).toBe(false);
    await twice('stamps/undo', own({ customer_id, stamp_id: granted.body.stamp_id }));
    const resolved = await twice('pending-stamps/resolve', own({ stamp_id: await addPendingStamp(running, shop), action: 'approve' }));
    expect(resolved.body.result.already_approved).toBe(false);
    const reviewed = await twice('stamps/review', own({ stamp_id: await addPendingStamp(running, shop), action: 'approve' }));
    expect(reviewed.body.message).toBe('The stamp is approved.');
    const [voucher] = (await shop.state(collector)).body.active_vouchers;
    const redeemed = await twice('redemptions', own({ customer_id: collector, voucher_id: voucher.id }));
    expect(redeemed.body.redemption_code).toBe(voucher.code);
  });

  test('returns the first response of requesting, cancelling and syncing', async () => {
    const member = await addStaff(running, shop);
    const { token } = await atCounter(running, shop, member);
    const requested = await twice('multi-stamp/request', own({ requested_stamps: 1 }), token);
    const cancelled = await twice('multi-stamp/cancel', { request_id: requested.body.request_id }, token);
    expect(cancelled.body.previous_status).toBe('pending');
    const synced = await twice('stamps/sync-offline', { stamps: [{ receipt_id: 'one', store_code: shop.storeId }] }, token);
    expect(synced.body.results[0].duplicate).toBe(false);
  });
});
