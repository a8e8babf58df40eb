import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { reconcilePayments } from '../confirmation/jobs.ts';
import { customer, worker } from '../testing/callers.ts';
import { outcomeOf, paidOrder } from '../testing/paid-order.ts';
import { sendEventsAbout } from '../testing/provider-events.ts';
import { logOf, usesOf } from '../testing/rows.ts';
import { runConcurrently } from '../testing/run-concurrently.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore({}, menu, [], [{ id: promoId, code: 'SPRING', kind: 'amount', value: 40 }]);
});
afterEach(() => running.payments.controls.clearFaults());
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const promoId = randomUUID();

describe('an accepted refund', () => {
  test('of the whole sum makes one refund at the provider and one ledger row, is published as full, and keeps the fulfilment', async () => {
    const order = await paidOrder(running, store, { order_type: 'collect' });
    const { status, body } = await order.refund();
    const [refund] = order.atProvider();
    expect([status, body]).toEqual([200, { refund: { id: refund?.id, status: 'succeeded', amount: 640 } }]);
    expect(order.atProvider()).toHaveLength(1);
    expect(await order.ledger()).toEqual([
      ['charge', 640],
      ['refund', -640],
    ]);
    expect(await order.published('order.refunded')).toMatchObject([
      { order_id: order.id, amount_pence: 640, cumulative_pence: 640, paid_pence: 640, full: true },
    ]);
    expect((await worker(running, store).get(order.id)).body.order).toMatchObject({ status: 'refunded', fulfilment_status: 'accepted' });
    expect(await logOf(running, order.id)).toEqual(['placed', 'paid', 'refund_requested', 'refund_succeeded']);
  });

  test('can be made in parts up to the sum, and only the last part makes it full', async () => {
    const order = await paidOrder(running, store);
    expect(outcomeOf(await order.refund(200))).toEqual([200, 200]);
    expect(await order.status()).toBe('partially_refunded');
    const over = await order.refund(441);
    expect(outcomeOf(over)).toEqual([422, 'REFUND_AMOUNT_EXCEEDS_REMAINING']);
    expect(over.body.error.message).toContain('£4.40');
    expect(outcomeOf(await order.refund(240))).toEqual([200, 240]);
    expect(outcomeOf(await order.refund())).toEqual([200, 200]);
    expect(await order.status()).toBe('refunded');
    expect(outcomeOf(await order.refund())).toEqual([409, 'ALREADY_REFUNDED']);
    expect(outcomeOf(await order.refund(1))).toEqual([409, 'ALREADY_REFUNDED']);
    expect(order.atProvider().map(({ amount }) => amount)).toEqual([200, 240, 200]);
    const published = await order.published('order.refunded');
    expect(published.map(({ cumulative_pence, full }) => [cumulative_pence, full])).toEqual([
      [200, false],
      [440, false],
      [640, true],
    ]);
  });

  test('takes the store’s share and the application fee back in proportion', async () => {
    const order = await paidOrder(running, store);
    const { application_fee_amount: fee } = running.payments.books().intents.find(({ id }) => id === order.intent) ?? {};
    expect(fee).toBe(32);
    await order.refund(320);
    const { charges, transfers, transferReversals, applicationFees, feeRefunds } = running.payments.books();
    const charge = charges.find(({ payment_intent }) => payment_intent === order.intent);
    const transfer = transfers.find(({ source_transaction }) => source_transaction === charge?.id);
    const taken = applicationFees.find((one) => one.charge === charge?.id);
    expect(transfer?.destination).toBe(store.account);
    expect(transferReversals.filter((one) => one.transfer === transfer?.id).map(({ amount }) => amount)).toEqual([320]);
    expect(feeRefunds.filter((one) => one.fee === taken?.id).map(({ amount }) => amount)).toEqual([16]);
    await order.refund();
    const after = running.payments.books();
    expect(after.transfers.find(({ id }) => id === transfer?.id)).toMatchObject({ amount_reversed: 640, reversed: true });
    expect(after.applicationFees.find(({ id }) => id === taken?.id)).toMatchObject({ amount_refunded: 32, refunded: true });
  });

  test('takes no fee back for a store that pays none', async () => {
    const free = await running.openStore({ fee_bps: 0 });
    const order = await customer(running).paid(free);
    expect(outcomeOf(await worker(running, free).refund(order.order_id))).toEqual([200, 640]);
  });

  test('of an order that cost nothing is made once, without the provider and without an amount', async () => {
    const order = await paidOrder(running, store, { items: [{ menu_item_id: 'sample', quantity: 1 }] });
    const before = running.payments.books().refunds.length;
    expect(outcomeOf(await order.refund(1))).toEqual([422, 'REFUND_AMOUNT_EXCEEDS_REMAINING']);
    const { status, body } = await order.refund();
    expect([status, body.refund]).toEqual([200, { id: expect.stringMatching(/^rf_[0-9a-f-]{36}$/), status: 'succeeded', amount: 0 }]);
    expect(outcomeOf(await order.refund())).toEqual([409, 'ALREADY_REFUNDED']);
    expect(running.payments.books().refunds).toHaveLength(before);
    expect(await order.published('order.refunded')).toMatchObject([{ amount_pence: 0, paid_pence: 0, full: true }]);
    expect(await order.status()).toBe('refunded');
  });

  test('releases the promo code when the whole sum is refunded, and not before', async () => {
    const before = await usesOf(running, promoId);
    const order = await paidOrder(running, store, { promo_code: 'spring' });
    expect(await usesOf(running, promoId)).toBe(before + 1);
    await order.refund(599);
    expect(await usesOf(running, promoId)).toBe(before + 1);
    await order.refund();
    expect(await usesOf(running, promoId)).toBe(before);
  });
});

describe('a refused refund', () => {
  test('is 404 for an order of another store and 403 for a customer', async () => {
    const order = await paidOrder(running, store);
    const other = await running.openStore();
    expect(outcomeOf(await worker(running, other).refund(order.id))).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(outcomeOf(await worker(running, store).refund(randomUUID()))).toEqual([404, 'ORDER_NOT_FOUND']);
    const asCustomer = await customer(running).call('POST', `/api/v1/orders/${order.id}/refund`, { store_id: store.id, reason: 'Mine.' });
    expect(asCustomer.status).toBe(403);
  });

  test.each([0, -1, 1.5, '200'])('is 400 for the amount %p', async (amount_pence) => {
    const order = await paidOrder(running, store);
    const { status, body } = await worker(running, store).refund(order.id, { amount_pence });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('amount_pence')]);
    expect(order.atProvider()).toEqual([]);
  });

  test('is ORDER_NOT_PAID for an unpaid order', async () => {
    const { body: order } = await customer(running).create(store);
    expect(outcomeOf(await worker(running, store).refund(order.order_id))).toEqual([409, 'ORDER_NOT_PAID']);
  });

  test('is 502 REFUND_REJECTED when the provider declines it; no money moves, and another attempt may use the amount', async () => {
    const order = await paidOrder(running, store);
    const attempt = randomUUID();
    running.payments.controls.dashboardRefund(order.intent, 600);
    expect(outcomeOf(await order.refund(100, attempt))).toEqual([502, 'REFUND_REJECTED']);
    expect(outcomeOf(await order.refund(100, attempt))).toEqual([502, 'REFUND_REJECTED']);
    expect(await order.ledger()).toEqual([['charge', 640]]);
    expect(await order.published('order.refunded')).toEqual([]);
    expect(await order.logged('refund_failed')).toBe(1);
    expect(outcomeOf(await order.refund(40))).toEqual([200, 40]);
  });

  test('is accepted until the last second of the store’s refund window', async () => {
    const own = await running.openStore({ refund_window_days: 3 });
    const order = await customer(running).paid(own);
    const staff = worker(running, own);
    running.clock.advance({ days: 3 });
    expect(outcomeOf(await staff.refund(order.order_id, { amount_pence: 1, refund_attempt_id: randomUUID() }))).toEqual([200, 1]);
    running.clock.advance({ seconds: 1 });
    const notify = await staff.refund(order.order_id, { amount_pence: 1, refund_attempt_id: randomUUID() });
    expect(outcomeOf(notify)).toEqual([409, 'REFUND_WINDOW_EXPIRED']);
    expect(notify.body.error.message).toContain('3 days');
  });

  test('is REFUND_LIMIT_REACHED after twenty refunds of one order', async () => {
    const order = await paidOrder(running, store);
    for (let n = 0; n < 20; n++) expect(outcomeOf(await order.refund(1))).toEqual([200, 1]);
    expect(outcomeOf(await order.refund(1))).toEqual([409, 'REFUND_LIMIT_REACHED']);
    expect(order.atProvider()).toHaveLength(20);
  });
});

describe('one attempt is one refund', () => {
  beforeAll(async () => {
    store = await running.openStore();
  });

  test('of two concurrent refunds that together exceed the sum one succeeds', async () => {
    const order = await paidOrder(running, store);
    const responses = await runConcurrently(
      running,
      order.id,
      () => order.refund(400),
      () => order.refund(400),
    );
    expect([...responses].map(outcomeOf).toSorted()).toEqual([
      [200, 400],
      [422, 'REFUND_AMOUNT_EXCEEDS_REMAINING'],
    ]);
    expect(order.atProvider().map(({ amount }) => amount)).toEqual([400]);
    expect(await order.ledger()).toEqual([
      ['charge', 640],
      ['refund', -400],
    ]);
  });

  test('eight concurrent requests of one attempt make one refund, and each returns it', async () => {
    const order = await paidOrder(running, store);
    const attempt = randomUUID();
    const responses = await Promise.all(Array.from({ length: 8 }, () => order.refund(150, attempt)));
    expect(new Set(responses.map(outcomeOf).map(String))).toEqual(new Set(['200,150']));
    expect(new Set(responses.map(({ body }) => body.refund.id)).size).toBe(1);
    expect(order.atProvider().map(({ amount }) => amount)).toEqual([150]);
    expect(await order.ledger()).toEqual([
      ['charge', 640],
      ['refund', -150],
    ]);
    expect(await order.published('order.refunded')).toHaveLength(1);
    expect(await order.logged('refund_succeeded')).toBe(1);
  });

  test('an attempt is repeated only for what it asked for: an amount, or all that remains', async () => {
    const reused = [422, 'IDEMPOTENCY_KEY_REUSED'];
    const order = await paidOrder(running, store);
    const [some, rest] = [randomUUID(), randomUUID()];
    const { body } = await order.refund(150, some);
    expect(outcomeOf(await order.refund(151, some))).toEqual(reused);
    expect(outcomeOf(await order.refund(undefined, some))).toEqual(reused);
    expect((await order.refund(150, some)).body).toEqual(body);
    const all = await order.refund(undefined, rest);
    expect(outcomeOf(all)).toEqual([200, 490]);
    expect((await order.refund(undefined, rest)).body).toEqual(all.body);
    expect(outcomeOf(await order.refund(490, rest))).toEqual(reused);
    expect(order.atProvider().map(({ amount }) => amount)).toEqual([150, 490]);
    expect(await order.status()).toBe('refunded');
  });

  test('of a leg too, all is not the same as its amount', async () => {
    const groups = [
      { role: 'now', items: [{ menu_item_id: 'croissant', quantity: 1 }] },
      { role: 'collect', items: [{ menu_item_id: 'flat-white', quantity: 1 }] },
    ];
    const order = await customer(running).paid(store, { items: [], fulfilment_groups: groups });
    const { body } = await worker(running, store).call('GET', `/api/v1/orders?store_id=${store.id}&limit=100`);
    const leg = body.orders.find((one: { parent_order_id: string }) => one.parent_order_id === order.order_id).id;
    const staff = worker(running, store);
    expect(outcomeOf(await staff.refund(leg))).toEqual([200, 350]);
    expect(outcomeOf(await staff.refund(leg))).toEqual([200, 350]);
    expect(outcomeOf(await staff.refund(leg, { amount_pence: 350 }))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(outcomeOf(await staff.refund(order.order_id))).toEqual([200, 290]);
  });

  test('a repeat without an attempt id never refunds twice', async () => {
    const order = await paidOrder(running, store);
    const staff = worker(running, store);
    const first = await staff.refund(order.id, { amount_pence: 100 });
    expect((await staff.refund(order.id, { amount_pence: 100 })).body).toEqual(first.body);
    expect(outcomeOf(await staff.refund(order.id, { amount_pence: 101 }))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(outcomeOf(await staff.refund(order.id))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(order.atProvider()).toHaveLength(1);
  });

  test('all without an attempt id is refunded once, however often it is repeated', async () => {
    const order = await paidOrder(running, store);
    const staff = worker(running, store);
    const responses = await Promise.all(Array.from({ length: 8 }, () => staff.refund(order.id)));
    expect(new Set(responses.map(outcomeOf).map(String))).toEqual(new Set(['200,640']));
    expect(order.atProvider()).toHaveLength(1);
  });

  test.each([
    ['without a key', {}],
    ['with one key', { 'Idempotency-Key': randomUUID() }],
  ])('after the provider declined a refund, a request without an attempt id is a new attempt, %s', async (_name, headers) => {
    const order = await paidOrder(running, store);
    const staff = worker(running, store);
    // The charge has nothing left, and no event has reported it.
    const taken = running.payments.controls.dashboardRefund(order.intent);
    for (const _ of [1, 2]) expect(outcomeOf(await staff.refund(order.id, {}, headers))).toEqual([502, 'REFUND_REJECTED']);
    const attempt = randomUUID();
    expect(outcomeOf(await order.refund(undefined, attempt))).toEqual([502, 'REFUND_REJECTED']);
    running.payments.controls.failRefund(taken.id);
    expect(outcomeOf(await staff.refund(order.id, { amount_pence: 100 }, headers))).toEqual([200, 100]);
    expect(outcomeOf(await staff.refund(order.id, { amount_pence: 100 }, headers))).toEqual([200, 100]);
    expect(outcomeOf(await order.refund(undefined, attempt))).toEqual([502, 'REFUND_REJECTED']);
    expect(order.atProvider().map(({ amount }) => amount)).toEqual([640, 100]);
    expect(await order.logged('refund_failed')).toBe(3);
  });

  test('after a refund failed days later, a request without an attempt id is a new attempt', async () => {
    const order = await paidOrder(running, store);
    const staff = worker(running, store);
    const { body } = await staff.refund(order.id);
    running.payments.controls.failRefund(body.refund.id);
    await sendEventsAbout(running, body.refund.id, 'refund.failed');
    const again = await staff.refund(order.id);
    expect(outcomeOf(again)).toEqual([200, 640]);
    expect((await staff.refund(order.id)).body).toEqual(again.body);
    expect(order.atProvider().map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  });

  test('a key of 255 characters names an attempt too', async () => {
    const order = await paidOrder(running, store);
    const headers = { 'Idempotency-Key': 'k'.repeat(255) };
    expect((await worker(running, store).refund(order.id, { amount_pence: 100 }, headers)).body.refund.status).toBe('succeeded');
  });

  test('the Idempotency-Key names the attempt when the body does not', async () => {
    const order = await paidOrder(running, store);
    const staff = worker(running, store);
    const [one, two] = [randomUUID(), randomUUID()];
    for (const key of [one, two, one]) {
      expect(outcomeOf(await staff.refund(order.id, { amount_pence: 100 }, { 'Idempotency-Key': key }))).toEqual([200, 100]);
    }
    expect(order.atProvider().map(({ amount }) => amount)).toEqual([100, 100]);
  });

  test('without a response of the provider the refund stays pending and reserved, and is made later under the same key', async () => {
    const order = await paidOrder(running, store);
    const attempt = randomUUID();
    running.payments.controls.failNext({ how: 'lost_before', method: 'POST', path: '/v1/refunds', times: 3 });
    expect((await order.refund(400, attempt)).body.refund).toMatchObject({ status: 'pending', amount: 400 });
    expect(order.atProvider()).toEqual([]);
    expect(await order.ledger()).toEqual([['charge', 640]]);
    expect(outcomeOf(await order.refund(300))).toEqual([422, 'REFUND_AMOUNT_EXCEEDS_REMAINING']);
    running.clock.advance({ minutes: 1 });
    await Promise.all([reconcilePayments(running.service.context), reconcilePayments(running.service.context)]);
    expect(order.atProvider().map(({ amount }) => amount)).toEqual([400]);
    const keys = running.payments.books().posts.filter(({ key }) => key.startsWith(`refund:${order.id}`));
    expect(keys.map(({ key }) => key)).toEqual([`refund:${order.id}:${attempt}`]);
    expect(await order.ledger()).toEqual([
      ['charge', 640],
      ['refund', -400],
    ]);
    expect((await order.refund(400, attempt)).body.refund).toMatchObject({ status: 'succeeded', amount: 400 });
    expect(await order.published('order.refunded')).toHaveLength(1);
  });
});
