import { randomUUID } from 'node:crypto';
import { directoryMenu, directorySlots } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { reserveForOrder } from '../payment/sagas.ts';
import { recordRefundOutcome } from '../refunds/transactions/record-outcome.ts';
import { codeOf, customer, worker } from '../testing/callers.ts';
import { type Loyalty, type Reward, startLoyalty } from '../testing/loyalty.ts';
import { eventsOf, expireOverdue, ordersOf, takenOf, usedOf, usesOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

describe('a promo code', () => {
  type Promo = NonNullable<Parameters<Running['openStore']>[3]>[number];

  async function storeWith(request: Partial<Promo> = {}): Promise<OpenStore & { promoId: string }> {
    const promo: Promo = { id: randomUUID(), code: 'Spring', kind: 'percent', value: 10, label: 'Spring', ...request };
    return { ...(await running.openStore({}, menu, [], [promo])), promoId: promo.id };
  }
  const days = (count: number) => new Date(running.clock.now().getTime() + count * 86_400_000).toISOString();
  const spring = { promo_code: 'spring' };

  test('a promo code is known however it is typed', async () => {
    const store = await storeWith({ code: 'Café-10' });
    for (const promo_code of ['café-10', 'cafe\u0301-10', 'café‐１０', 'CAFÉ–10\u200b', '\ufeffＣＡＦÉ-10']) {
      const { status, body } = await customer(running).create(store, { promo_code });
      expect([promo_code, status, body.amount_pence]).toEqual([promo_code, 200, 576]);
    }
  });

  test('a code and a slot with an id that another store has are left out, and that is logged and counted', async () => {
    const theirs = await storeWith();
    const store = await running.openStore();
    const slot = { id: randomUUID(), starts_at: days(1), ends_at: days(1.1) };
    const subjectOf = (aggregateId: string, sequence: number) => ({ aggregateId, sequence, storeId: aggregateId });
    const slotsOf = (store_id: string, version: number) =>
      running.consume(envelopeOf(directorySlots, { version, store_id, slots: [slot] }, subjectOf(store_id, version)));
    await slotsOf(theirs.id, 9);
    const promos = [
      { id: theirs.promoId, code: 'Copy', kind: 'amount' as const, value: 50 },
      { id: randomUUID(), code: 'Own', kind: 'amount' as const, value: 50 },
    ];
    await running.consume(envelopeOf(directoryMenu, { version: 9, store_id: store.id, items: menu, promos }, subjectOf(store.id, 9)));
    await slotsOf(store.id, 9);
    const said = running.lines.filter(({ msg }) => String(msg).includes('left out'));
    expect(said).toMatchObject([
      { level: 'error', store_id: store.id, list: 'promos', ids: [theirs.promoId], left_out: 1 },
      { level: 'error', store_id: store.id, list: 'slots', ids: [slot.id], left_out: 1 },
    ]);
    expect(codeOf(await customer(running).create(store, { promo_code: 'copy' }))).toEqual([422, 'PROMO_INVALID']);
    expect(codeOf(await customer(running).create(store, { promo_code: 'own' }))).toEqual([200, undefined]);
  });

  test('a promo code is deducted and returned by confirm, whatever its case and surrounding blanks', async () => {
    const store = await storeWith();
    const ada = customer(running);
    const order = await ada.paid(store, { promo_code: '  sPrInG ', tip_pence: 60 });
    const { body } = await ada.confirm(store, order.payment_intent_id);
    expect(body).toMatchObject({ subtotal_pence: 640, promo_discount_pence: 64, total_pence: 636 });
    expect((await eventsOf(running, order.order_id))[0]?.data).toMatchObject({ promo_code: 'SPRING', net_of_tip_pence: 576 });
    const intent = running.payments.books().intents.find(({ id }) => id === order.payment_intent_id);
    expect([intent?.amount, intent?.application_fee_amount]).toEqual([636, 29]);
    expect(await usesOf(running, store.promoId)).toBe(1);
  });

  test.each([
    ['percent', 5, 'sweet', 9, 85], // 4.5 pence are 5
    ['percent', 5, 'sweet', 7, 66], // 3.5 pence are 4
    ['percent', 33, 'croissant', 1, 194], // 95.7 pence are 96
    ['amount', 200, 'croissant', 1, 90],
    ['amount', 5_000, 'croissant', 1, 0],
    ['percent', 100, 'croissant', 2, 0],
  ] as const)('%s %i of %s times %i comes to %i', async (kind, value, item, quantity, total) => {
    const store = await storeWith({ kind, value });
    const { body } = await customer(running).create(store, { ...spring, items: [{ menu_item_id: item, quantity }] });
    expect(body).toMatchObject({ amount_pence: total, status: total === 0 ? 'paid' : 'pending_payment', requires_payment: total > 0 });
  });

  describe('a refused request takes nothing', () => {
    const cakes = (quantity: number) => ({ items: [{ menu_item_id: 'last-cake', quantity }] });
    test.each([
      [422, 'PROMO_INVALID', {}, { promo_code: 'autumn' }],
      [422, 'PROMO_INVALID', { active: false }, spring],
      [422, 'PROMO_EXPIRED', { ends_at: () => days(0) }, spring],
      [422, 'PROMO_EXPIRED', { starts_at: () => days(1) }, spring],
      [422, 'PROMO_NOT_APPLICABLE', { min_subtotal_pence: 501 }, { ...spring, tip_pence: 500 }],
      [422, 'PROMO_NOT_APPLICABLE', { value: 1 }, { ...spring, items: [{ menu_item_id: 'sweet', quantity: 4 }], tip_pence: 100 }],
      [422, 'AMOUNT_BELOW_MINIMUM', { kind: 'amount', value: 471 }, spring],
      [409, 'OUT_OF_STOCK', {}, { ...spring, ...cakes(2) }],
      [400, 'VALIDATION_FAILED', {}, { promo_code: ' ' }],
    ] as const)('%i %s, case %#', async (status, code, request, ask) => {
      const made = Object.fromEntries(Object.entries(request).map(([key, value]) => [key, typeof value === 'function' ? value() : value]));
      const store = await storeWith(made);
      const response = await customer(running).create(store, { ...cakes(1), ...ask });
      expect(codeOf(response)).toEqual([status, code]);
      if (status === 400 || code === 'PROMO_NOT_APPLICABLE') expect(response.body.error.message).toContain('promo_code');
      const left = [await ordersOf(running, store.id), await usesOf(running, store.promoId), await takenOf(running, store.id)];
      expect(left).toEqual([0, 0, 0]);
    });

    test('a code of another store is PROMO_INVALID', async () => {
      await storeWith();
      expect(codeOf(await customer(running).create(await running.openStore(), spring))).toEqual([422, 'PROMO_INVALID']);
    });
  });

  test('a code is valid at exactly its minimum subtotal and from its first instant', async () => {
    const store = await storeWith({ min_subtotal_pence: 640, starts_at: days(0), ends_at: days(1) });
    expect(codeOf(await customer(running).create(store, spring))).toEqual([200, undefined]);
  });

  test('of fifty customers with a code for seven orders, seven get it and 43 receive PROMO_LIMIT_REACHED', async () => {
    const store = await storeWith({ max_uses: 7 });
    const responses = await Promise.all(Array.from({ length: 50 }, () => customer(running).create(store, spring)));
    const count = (code: string) => responses.filter((response) => codeOf(response).join(' ') === code).length;
    expect([count('200 '), count('409 PROMO_LIMIT_REACHED')]).toEqual([7, 43]);
    expect([await usesOf(running, store.promoId), await ordersOf(running, store.id)]).toEqual([7, 7]);
  });

  test.each([
    ['twice a customer', { max_per_customer: 2 }, 2],
    ['on a first order', { first_order_only: true }, 1],
  ])('a customer’s twenty concurrent orders use a code limited to %s as often as it allows', async (_name, request, most) => {
    const store = await storeWith(request);
    const ada = customer(running);
    const responses = await Promise.all(Array.from({ length: 20 }, () => ada.create(store, spring)));
    const count = (code: string) => responses.filter((response) => codeOf(response).join(' ') === code).length;
    expect([count('200 '), count('409 PROMO_LIMIT_REACHED')]).toEqual([most, 20 - most]);
    expect(await usesOf(running, store.promoId)).toBe(most);
    expect(codeOf(await customer(running).create(store, spring))).toEqual([200, undefined]);
  });

  test('fifty concurrent repeats of one key use a code once', async () => {
    const store = await storeWith({ max_per_customer: 1, max_uses: 1 });
    const ada = customer(running);
    const request = { ...spring, idempotency_key: randomUUID() };
    const responses = await Promise.all(Array.from({ length: 50 }, () => ada.create(store, request)));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.order_id}`))).toEqual(
      new Set([`200 ${responses[0]?.body.order_id}`]),
    );
    expect(await usesOf(running, store.promoId)).toBe(1);
  });

  test('a code for first orders is refused after a paid order, and accepted before', async () => {
    const store = await storeWith({ first_order_only: true });
    const ada = customer(running);
    await ada.create(store);
    expect(codeOf(await ada.create(store, spring))).toEqual([200, undefined]);
    const ben = customer(running);
    await ben.paid(store);
    expect(codeOf(await ben.create(store, spring))).toEqual([422, 'PROMO_NOT_APPLICABLE']);
  });

  describe('the use of a code', () => {
    const once = { max_per_customer: 1 };
    const cancel = async (store: OpenStore, orderId: string) =>
      await worker(running, store).call('PATCH', `/api/v1/orders/${orderId}/status`, { store_id: store.id, status: 'cancelled' });

    test('is released once when the order expires', async () => {
      const store = await storeWith(once);
      const ada = customer(running);
      await ada.create(store, spring);
      await customer(running).paid(store, spring);
      expect(codeOf(await ada.create(store, spring))).toEqual([409, 'PROMO_LIMIT_REACHED']);
      await Promise.all([expireOverdue(running), expireOverdue(running)]);
      expect(await usesOf(running, store.promoId)).toBe(1);
      expect(codeOf(await ada.create(store, spring))).toEqual([200, undefined]);
    });

    test('is released once when the unpaid order is cancelled', async () => {
      const store = await storeWith(once);
      const ada = customer(running);
      const { body } = await ada.create(store, spring);
      await customer(running).paid(store, spring);
      await Promise.all([cancel(store, body.order_id), cancel(store, body.order_id), cancel(store, body.order_id)]);
      expect(await usesOf(running, store.promoId)).toBe(1);
      expect(codeOf(await ada.create(store, spring))).toEqual([200, undefined]);
    });

    test('stays taken for a cancelled paid order until all of it is refunded', async () => {
      const store = await storeWith(once);
      const ada = customer(running);
      const order = await ada.paid(store, spring);
      await customer(running).paid(store, spring);
      expect((await cancel(store, order.order_id)).status).toBe(200);
      expect(await usesOf(running, store.promoId)).toBe(2);
      const ben = worker(running, store);
      expect((await ben.refund(order.order_id, { amount_pence: 575, refund_attempt_id: randomUUID() })).status).toBe(200);
      expect(await usesOf(running, store.promoId)).toBe(2);
      expect(codeOf(await ada.create(store, spring))).toEqual([409, 'PROMO_LIMIT_REACHED']);
      const rest = { refund_attempt_id: randomUUID() };
      await Promise.all([1, 2, 3].map(() => ben.refund(order.order_id, rest)));
      expect(await usesOf(running, store.promoId)).toBe(1);
      expect(codeOf(await ada.create(store, spring))).toEqual([200, undefined]);
    });

    test('is taken again once, even beyond its limit, when the full refund fails later', async () => {
      const store = await storeWith({ max_uses: 1 });
      const order = await customer(running).paid(store, spring);
      const { body } = await worker(running, store).refund(order.order_id);
      expect(await usesOf(running, store.promoId)).toBe(0);
      const next = await customer(running).paid(store, spring);
      const ours = await running.service.database.one(sql.type(
        z.object({ id: z.string(), store_id: z.string(), payment_order_id: z.string() }),
      )`
        select id, store_id, payment_order_id from refund where provider_refund_id = ${body.refund.id}`);
      const fails = () =>
        running.service.database.transaction((tx) => recordRefundOutcome(tx, ours, { id: body.refund.id, status: 'failed' }));
      await Promise.all([fails(), fails(), fails()]);
      expect(await usesOf(running, store.promoId)).toBe(2);
      expect(codeOf(await customer(running).create(store, spring))).toEqual([409, 'PROMO_LIMIT_REACHED']);
      expect((await worker(running, store).refund(next.order_id)).status).toBe(200);
      expect(await usesOf(running, store.promoId)).toBe(1);
      expect(codeOf(await customer(running).create(store, spring))).toEqual([409, 'PROMO_LIMIT_REACHED']);
    });
  });
});

describe('a voucher', () => {
  let store: OpenStore;
  let loyalty: Loyalty;

  beforeEach(async () => {
    store = await running.openStore();
    loyalty = await startLoyalty(running);
  });
  afterEach(async () => {
    await loyalty[Symbol.asyncDispose]();
  });

  const amount = (value: number): Reward => ({ value_kind: 'amount', value, item_id: null });
  const percent = (value: number): Reward => ({ value_kind: 'percent', value, item_id: null });
  const item = (item_id: string): Reward => ({ value_kind: 'item', value: 1, item_id });

  function voucher(reward: Reward): { voucher_id: string } {
    const voucher_id = randomUUID();
    loyalty.issue(voucher_id, reward);
    return { voucher_id };
  }

  test.each([
    ['an amount', amount(200), 440],
    ['at most the value of the basket', amount(9_999), 0],
    ['a percentage, half a penny rounded up', percent(5), 608],
    ['the price of one unit of an item', item('flat-white'), 290],
    ['nothing of the tip', amount(9_999), 90, 90],
  ])('a voucher takes off %s', async (_name, reward, total, tip_pence = 0) => {
    const request = voucher(reward);
    const ada = customer(running);
    const { body } = await ada.create(store, { ...request, tip_pence });
    expect(body).toMatchObject({ amount_pence: total, requires_payment: total > 0 });
    expect(loyalty.calls).toMatchObject([{ ...request, order_id: body.order_id, customer_id: ada.sub, store_id: store.id }]);
    const heldMs = Date.parse(loyalty.calls[0]?.until ?? '') - running.clock.now().getTime();
    expect(heldMs).toBeGreaterThan(running.service.context.holdMinutes * 60_000);
    expect([loyalty.holderOf(request.voucher_id), loyalty.released]).toEqual([body.order_id, []]);
  });

  test('the voucher is deducted first and the promo code from the rest, and confirm returns both', async () => {
    const promo = { id: randomUUID(), code: 'HALF', kind: 'percent' as const, value: 50, min_subtotal_pence: 640 };
    const own = await running.openStore({}, menu, [], [promo]);
    const ada = customer(running);
    const order = await ada.paid(own, { ...voucher(amount(205)), promo_code: 'half', tip_pence: 10 });
    const { body } = await ada.confirm(own, order.payment_intent_id);
    // 640 less 205 is 435, half of which is 217.5.
    expect(body).toMatchObject({ voucher_discount_pence: 205, promo_discount_pence: 218, total_pence: 227 });
    const none = await customer(running).create(own, { ...voucher(amount(640)), promo_code: 'half' });
    expect(codeOf(none)).toEqual([422, 'PROMO_NOT_APPLICABLE']);
    expect(loyalty.released).toHaveLength(1);
    expect(await usesOf(running, promo.id)).toBe(1);
  });

  test('an order that the voucher reduces to nothing is paid at once, and its event names the voucher', async () => {
    const request = { ...voucher(amount(640)), idempotency_key: randomUUID() };
    const ada = customer(running);
    const first = await ada.create(store, request);
    expect(first.body).toMatchObject({ status: 'paid', requires_payment: false, amount_pence: 0, payment_intent_id: null });
    const published = await eventsOf(running, first.body.order_id);
    expect(published.filter(({ type }) => type === 'order.paid').map(({ data }) => data)).toMatchObject([
      { voucher_id: request.voucher_id, total_pence: 0, net_of_tip_pence: 0 },
    ]);
    expect((await ada.create(store, request)).body).toEqual(first.body);
    expect(await eventsOf(running, first.body.order_id)).toHaveLength(published.length);
  });

  test.each([
    [404, 'VOUCHER_NOT_FOUND'],
    [409, 'VOUCHER_EXPIRED'],
    [409, 'VOUCHER_RESERVED'],
    [409, 'VOUCHER_ALREADY_REDEEMED'],
    [409, 'VOUCHER_VOIDED'],
  ] as const)('a voucher that loyalty refuses is refused before anything is held: %i %s', async (status, code) => {
    const noon = { id: randomUUID(), starts_at: inHours(1), ends_at: inHours(2), capacity: 1 };
    const own = await running.openStore({}, menu, [noon]);
    const request = voucher(amount(100));
    loyalty.refuse(request.voucher_id, code);
    const response = await customer(running).create(own, {
      ...request,
      slot_id: noon.id,
      items: [{ menu_item_id: 'last-cake', quantity: 1 }],
    });
    expect(codeOf(response)).toEqual([status, code]);
    const held = [await ordersOf(running, own.id), await usedOf(running, noon.id), await takenOf(running, own.id)];
    expect([held, loyalty.released]).toEqual([[0, 0, 0], []]);
  });

  const inHours = (hours: number) => new Date(running.clock.now().getTime() + hours * 3_600_000).toISOString();

  describe('the voucher’s reservation is released', () => {
    test.each([
      [422, 'VOUCHER_NOT_APPLICABLE', item('last-cake'), {}],
      [422, 'VOUCHER_NOT_APPLICABLE', percent(1), { items: [{ menu_item_id: 'sweet', quantity: 4 }], tip_pence: 100 }],
      [422, 'AMOUNT_BELOW_MINIMUM', amount(611), {}],
      [422, 'PROMO_INVALID', amount(100), { promo_code: 'unheard-of' }],
      [409, 'PRICE_CHANGED', amount(100), { expected_total_pence: 640 }],
    ] as const)('%i %s', async (status, code, reward, overrides) => {
      const request = voucher(reward);
      const response = await customer(running).create(store, { ...request, ...overrides });
      expect(codeOf(response)).toEqual([status, code]);
      if (code === 'VOUCHER_NOT_APPLICABLE') expect(response.body.error.message).toContain('voucher_id');
      expect([loyalty.released, loyalty.holderOf(request.voucher_id)]).toEqual([[request.voucher_id], null]);
      expect([await ordersOf(running, store.id), await takenOf(running, store.id)]).toEqual([0, 0]);
    });

    test('when the order expires: the event names the voucher', async () => {
      const request = { ...voucher(amount(100)), idempotency_key: randomUUID() };
      const ada = customer(running);
      const { body } = await ada.create(store, request);
      await expireOverdue(running);
      const published = await eventsOf(running, body.order_id);
      expect(published).toMatchObject([{ type: 'order.expired', data: { voucher_id: request.voucher_id, was_paid: false } }]);
      expect((await ada.create(store, request)).body).toMatchObject({ status: 'expired', requires_payment: false });
      expect(loyalty.calls).toHaveLength(1);
    });

    test('when the provider declines the payment', async () => {
      const own = await running.openStore({ connected_account_id: 'acct_unheard_of' });
      const request = { ...voucher(amount(100)), items: [{ menu_item_id: 'last-cake', quantity: 1 }] };
      expect(codeOf(await customer(running).create(own, request))).toEqual([409, 'STORE_NOT_ACCEPTING_ORDERS']);
      const orderId = loyalty.calls[0]?.order_id ?? '';
      expect(await eventsOf(running, orderId)).toMatchObject([
        { type: 'order.cancelled', data: { voucher_id: request.voucher_id, was_paid: false } },
      ]);
      expect(await takenOf(running, own.id)).toBe(0);
    });
  });

  test('an item that is not on the menu is refused before the voucher is reserved', async () => {
    const response = await customer(running).create(store, { ...voucher(amount(1)), items: [{ menu_item_id: 'sold-out', quantity: 1 }] });
    expect(codeOf(response)).toEqual([422, 'ITEM_NOT_FOUND']);
    expect(loyalty.calls).toEqual([]);
  });

  test('without loyalty the request is refused with a retry hint and holds nothing; later the same key places the order', async () => {
    const request = { ...voucher(amount(100)), idempotency_key: randomUUID(), items: [{ menu_item_id: 'last-cake', quantity: 1 }] };
    await loyalty[Symbol.asyncDispose]();
    const ada = customer(running);
    const response = await ada.create(store, request);
    expect(codeOf(response)).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
    expect(response.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
    expect([await ordersOf(running, store.id), await takenOf(running, store.id)]).toEqual([0, 0]);
    loyalty = await startLoyalty(running);
    loyalty.issue(request.voucher_id, amount(100));
    expect((await ada.create(store, request)).body.amount_pence).toBe(400);
  });

  test('a repeat after a crash between reservation and order reserves for the same order', async () => {
    const request = { ...voucher(amount(100)), idempotency_key: randomUUID(), promo_code: 'unheard-of' };
    const ada = customer(running);
    // The first request is refused after it has reserved the voucher. Reserving again simulates a crash before the release.
    await ada.create(store, request);
    const first = loyalty.calls[0]?.order_id ?? '';
    const use = { orderId: first, voucherId: request.voucher_id, customerId: ada.sub, storeId: store.id };
    await reserveForOrder(use, running.service.context);
    const { promo_code: _, ...repeat } = request;
    const { status, body } = await ada.create(store, repeat);
    expect([status, body.order_id, body.amount_pence]).toEqual([200, first, 540]);
    expect(new Set(loyalty.calls.map(({ order_id }) => order_id)).size).toBe(1);
    expect(codeOf(await ada.create(store, { voucher_id: request.voucher_id }))).toEqual([409, 'VOUCHER_RESERVED']);
  });

  test('the same key from another customer places another order', async () => {
    const request = { idempotency_key: randomUUID() };
    const [one, other] = [
      await customer(running).create(store, { ...request, ...voucher(amount(9)) }),
      await customer(running).create(store, { ...request, ...voucher(amount(9)) }),
    ];
    expect(one.body.order_id).not.toBe(other.body.order_id);
  });

  test('fifty concurrent repeats of one key reserve for one order and place it once', async () => {
    const request = { ...voucher(amount(100)), idempotency_key: randomUUID() };
    const ada = customer(running);
    const responses = await Promise.all(Array.from({ length: 50 }, () => ada.create(store, request)));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.order_id}`))).toEqual(
      new Set([`200 ${responses[0]?.body.order_id}`]),
    );
    expect(loyalty.holderOf(request.voucher_id)).toBe(responses[0]?.body.order_id);
    expect([await ordersOf(running, store.id), loyalty.released]).toEqual([1, []]);
  });

  test('of ten concurrent orders with one voucher, one gets it', async () => {
    const request = voucher(amount(100));
    const ada = customer(running);
    const responses = await Promise.all(Array.from({ length: 10 }, () => ada.create(store, request)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter((response) => codeOf(response)[1] === 'VOUCHER_RESERVED')).toHaveLength(9);
  });
});
