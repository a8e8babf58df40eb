import { stores } from '@corner/sandbox/demo';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { freshTap, type LoyaltyActors, newLoyaltyActors } from '../testing/loyalty-scenario.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
let database: pg.Client;

beforeAll(async () => {
  environment = await sharedEnvironment();
  database = new pg.Client({ connectionString: environment.system.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
});

const store_id = stores.coffee.id;
const staff_secret = 'card_0123456789abcdef0123456789abcdef';
const twenty = Array.from({ length: 20 }, (_, n) => n);

type Response = Awaited<ReturnType<LoyaltyActors['call']>>;
const tally = (responses: readonly Response[]): Record<string, number> => {
  const outcomes = responses.map(({ status, body }) => (body.error as { code: string } | undefined)?.code ?? String(status));
  return Object.fromEntries([...new Set(outcomes)].sort().map((outcome) => [outcome, outcomes.filter((each) => each === outcome).length]));
};
const countRows = async (query: string, values: readonly unknown[]): Promise<number> =>
  (await database.query(`select count(*)::int as count from ${query}`, [...values])).rows[0].count;

test('of twenty concurrent redemptions of one voucher, one succeeds', async () => {
  const { customerId: customer_id, owner, call } = await newLoyaltyActors(environment);
  for (const _ of [1, 2, 3, 4, 5]) await call('grant', 'stamps', owner, { store_id, customer_id });
  const { body } = await call('state', `customer-state?store_id=${store_id}&customer_id=${customer_id}`, owner);
  const voucher_id = (body.active_vouchers as { id: string }[])[0]?.id;
  const redeem = () => call('redeem', 'redemptions', owner, { store_id, customer_id, voucher_id });
  expect(tally(await Promise.all(twenty.map(redeem)))).toEqual({ 200: 1, VOUCHER_ALREADY_REDEEMED: 19 });
  expect(await countRows(`loyalty.outbox where type = 'voucher.redeemed' and customer_id = $1`, [customer_id])).toBe(1);
});

describe('stamp codes', () => {
  test('a code of a tap that twenty customers redeem at once yields one stamp', async () => {
    const actors = await Promise.all(twenty.map(() => newLoyaltyActors(environment)));
    const guest = actors[0] as LoyaltyActors;
    const { body } = await guest.call('mint', 'stamp-codes', null, { store_id, ttl_seconds: 60, ...freshTap() });
    const redeem = ({ call, customer }: LoyaltyActors) => call('redeem', 'stamp-codes/redeem', customer, { code: body.code });
    expect(tally(await Promise.all(actors.map(redeem)))).toEqual({ 200: 1, CODE_ALREADY_USED: 19 });
    expect(await countRows('loyalty.stamp where customer_id = any($1)', [actors.map(({ customerId }) => customerId)])).toBe(1);
  });

  test('a code that one customer redeems twenty times at once yields one stamp, and every response shows it', async () => {
    const { call, customer, customerId } = await newLoyaltyActors(environment);
    const { body } = await call('mint', 'stamp-codes', customer, { store_id });
    const redeem = () => call('redeem', 'stamp-codes/redeem', customer, { code: String(body.full_message).toLowerCase() });
    const responses = await Promise.all(twenty.map(redeem));
    expect(tally(responses)).toEqual({ 200: 20 });
    expect(responses.filter(({ body: { already_redeemed } }) => already_redeemed)).toHaveLength(19);
    expect(await countRows('loyalty.stamp where customer_id = $1', [customerId])).toBe(1);
  });

  test('of twenty phones that generate a code with the same tap at once, one gets it', async () => {
    const actors = await Promise.all(twenty.map(() => newLoyaltyActors(environment)));
    const tap = freshTap();
    const mint = ({ call, customer }: LoyaltyActors) => call('mint', 'stamp-codes', customer, { store_id, ...tap });
    expect(tally(await Promise.all(actors.map(mint)))).toEqual({ 200: 1, NFC_TAP_REPLAYED: 19 });
  });
});

describe('a multi-stamp request that is confirmed, cancelled and expired at once', () => {
  test.each([
    ['before its expiry', 30],
    ['at the end of its grace period', -4.9],
    ['after its grace period', -5.1],
  ])('ends in one way, and every caller sees which, %s', async (_, secondsLeft) => {
    const { call, customer, customerId } = await newLoyaltyActors(environment);
    const requested = await call('request', 'multi-stamp/request', customer, { store_id, requested_stamps: 2 });
    const { request_id } = requested.body;
    await database.query(`update loyalty.multi_stamp_request set expires_at = now() + $2 * interval '1 second' where id = $1`, [
      request_id,
      secondsLeft,
    ]);
    const cancel = () => call('cancel', 'multi-stamp/cancel', customer, { request_id });
    const tap = freshTap();
    const confirm = () => call('confirm', 'multi-stamp/confirm', customer, { store_code: 'S1', request_id, staff_secret, ...tap });
    const expire = () =>
      database.query(
        `update loyalty.multi_stamp_request set status = 'expired', resolved_at = expires_at where id in (select id from
         loyalty.multi_stamp_request where status = 'pending' and expires_at < now() - interval '5 seconds' for update skip locked)`,
      );
    const results = await Promise.all([...twenty.flatMap((n) => (n % 2 ? [cancel()] : [confirm()])), expire().then(() => null)]);
    const responses = results.filter((response) => response !== null);
    const { status } = (await database.query('select status from loyalty.multi_stamp_request where id = $1', [request_id])).rows[0];
    const expected = {
      confirmed: { 200: 20 },
      cancelled: { 200: 10, NO_PENDING_REQUEST: 10 },
      expired: { 200: 10, MULTI_STAMP_EXPIRED: 10 },
    };
    expect(Object.keys(expected)).toContain(status);
    expect(tally(responses)).toEqual(expected[status as keyof typeof expected]);
    expect(await countRows('loyalty.stamp where customer_id = $1', [customerId])).toBe(status === 'confirmed' ? 2 : 0);
    const previous = responses.flatMap(({ body }) => (body.previous_status ? [body.previous_status] : []));
    expect(previous.filter((each) => each === 'pending').length).toBe(status === 'cancelled' ? 1 : 0);
    if (secondsLeft === -5.1) expect(status).toBe('expired');
  });
});

test.each(['pending-stamps/resolve', 'stamps/review'])(
  'of ten approvals and ten rejections of one stamp at once at %s, one wins and the others see it',
  async (path) => {
    const { call, customer, customerId, owner } = await newLoyaltyActors(environment);
    const { body } = await call('sync', 'stamps/sync-offline', customer, { stamps: [{ receipt_id: 'one', store_code: 'S1' }] });
    const { stamp_id } = (body.results as { stamp_id: string }[])[0] ?? {};
    const review = (action: string) => call(action, path, owner, { store_id, stamp_id, action });
    const responses = tally(await Promise.all(twenty.map((n) => review(n % 2 ? 'approve' : 'reject'))));
    const { status } = (await database.query('select status from loyalty.stamp where id = $1', [stamp_id])).rows[0];
    expect(responses).toEqual({ 200: 10, [status === 'approved' ? 'STAMP_ALREADY_APPROVED' : 'STAMP_ALREADY_REJECTED']: 10 });
    expect(await countRows(`loyalty.outbox where customer_id = $1 and type in ('stamp.approved', 'stamp.rejected')`, [customerId])).toBe(1);
  },
);

test('fifty concurrent requests with the same idempotency key have one effect and the same response', async () => {
  const { call, customer, customerId: customer_id, owner } = await newLoyaltyActors(environment);
  const fifty = async (path: string, token: string, body: object) => {
    const key = crypto.randomUUID();
    const responses = await Promise.all(Array.from({ length: 50 }, () => call(path, path, token, body, key)));
    expect([path, new Set(responses.map((response) => JSON.stringify(response.body))).size]).toEqual([path, 1]);
    expect([path, responses[0]?.status]).toEqual([path, 200]);
    return responses[0]?.body ?? {};
  };
  await fifty('multi-stamp/request', customer, { store_id, requested_stamps: 3 });
  await fifty('multi-stamp/confirm', customer, { store_code: 'S1', staff_secret, ...freshTap() });
  const granted = await fifty('stamps', owner, { store_id, customer_id });
  await fifty('stamps/undo', owner, { store_id, customer_id, stamp_id: granted.stamp_id });
  await fifty('stamps', owner, { store_id, customer_id });
  const synced = await fifty('stamps/sync-offline', customer, { stamps: [{ receipt_id: 'a', store_code: 'S1', ...freshTap() }] });
  expect(synced.results).toMatchObject([{ stamp_status: 'approved', voucher_earned: true }]);
  const { body } = await call('state', `customer-state?store_id=${store_id}&customer_id=${customer_id}`, owner);
  const [voucher] = body.active_vouchers as { id: string }[];
  await fifty('redemptions', owner, { store_id, customer_id, voucher_id: voucher?.id });
  expect(await countRows(`loyalty.stamp where customer_id = $1 and status = 'approved'`, [customer_id])).toBe(5);
  expect(await countRows(`loyalty.voucher where customer_id = $1`, [customer_id])).toBe(1);
});
