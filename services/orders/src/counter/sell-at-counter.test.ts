import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { expireUnpaidOrders } from '../confirmation/jobs.ts';
import { codeOf, customer } from '../testing/callers.ts';
import { startLoyalty } from '../testing/loyalty.ts';
import { eventsOf, ledgerOf, logOf, ordersOf, takenOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { startLookUps, tillOf } from '../testing/till.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const cash = [{ kind: 'cash', given_pence: 1_000 }];

describe('a sale at the counter', () => {
  test('is placed and paid at once, is accepted, and calls no payment provider', async () => {
    const before = running.payments.books().intents.length;
    const { status, body } = await tillOf(running, store).sell({ tenders: cash, order_type: 'collect' });
    expect(status).toBe(200);
    expect(body.order).toMatchObject({ status: 'paid', channel: 'counter', total_pence: 640, fulfilment_status: 'accepted' });
    expect(body.tenders).toEqual([
      {
        kind: 'cash',
        amount_pence: 640,
        given_pence: 1_000,
        change_pence: 360,
        reference: null,
        refunded_pence: 0,
        at: expect.any(String),
      },
    ]);
    expect(running.payments.books().intents).toHaveLength(before);
    expect(await ledgerOf(running, body.order.id)).toEqual([{ kind: 'charge', amount_pence: 640 }]);
    expect(await logOf(running, body.order.id)).toEqual(['placed', 'paid']);
  });

  test('is published as paid with its channel and its tenders, and with no customer in its envelope', async () => {
    const tenders = [
      { kind: 'cash', amount_pence: 300 },
      { kind: 'external_card', amount_pence: 340, reference: '4711' },
    ];
    const { body } = await tillOf(running, store).sell({ tenders });
    const [paid] = await eventsOf(running, body.order.id);
    expect(paid).toMatchObject({
      type: 'order.paid',
      data: {
        channel: 'counter',
        without_customer: true,
        customer_id: body.order.id,
        is_first: false,
        tenders: [
          { kind: 'cash', amount_pence: 300 },
          { kind: 'external_card', amount_pence: 340 },
        ],
      },
    });
    const envelope = z.object({ customer_id: z.string().nullable() });
    const of = sql.type(envelope)`select customer_id from outbox where aggregate_id = ${body.order.id}`;
    expect(await running.service.database.any(of)).toEqual([{ customer_id: null }]);
  });

  test('says in its story that it earns no stamp, since it is no one’s', async () => {
    const till = tillOf(running, store);
    const { body } = await till.sell();
    const story = await till.call('GET', `/api/v1/orders/${body.order.id}/story?store_id=${store.id}`);
    expect(story.body.stamps).toMatchObject({ reason: 'no_customer', counting: 0 });
  });

  test('costs what the phone’s order costs, but for the platform’s fee and the least charge of a card', async () => {
    const lines = { items: [{ menu_item_id: 'flat-white', quantity: 2 }], tip_pence: 50 };
    const phone = await customer(running).create(store, lines);
    const till = await tillOf(running, store).sell({ ...lines, tenders: [{ kind: 'cash' }] });
    expect(till.body.order.total_pence).toBe(phone.body.amount_pence);
    const fee = sql.type(z.object({ fee: z.number() }))`select application_fee_pence as fee from orders where id = ${till.body.order.id}`;
    expect(await running.service.database.one(fee)).toEqual({ fee: 0 });
    const sweet = { items: [{ menu_item_id: 'sweet', quantity: 1 }], tenders: [{ kind: 'cash' }] };
    expect((await tillOf(running, store).sell(sweet)).body.order).toMatchObject({ status: 'paid', total_pence: 10 });
  });

  test('takes the stock that phones take, and is refused when none is left', async () => {
    const own = await running.openStore();
    const cake = { items: [{ menu_item_id: 'last-cake', quantity: 1 }], tenders: [{ kind: 'cash' }] };
    expect((await tillOf(running, own).sell(cake)).status).toBe(200);
    expect(await takenOf(running, own.id)).toBe(1);
    expect(codeOf(await tillOf(running, own).sell(cake))).toEqual([409, 'OUT_OF_STOCK']);
    expect(codeOf(await customer(running).create(own, cake))).toEqual([409, 'OUT_OF_STOCK']);
  });

  test('takes a promo code, but not one for a first order without a customer', async () => {
    const promo = (code: string, first: boolean) => ({
      id: randomUUID(),
      code,
      kind: 'percent' as const,
      value: 10,
      first_order_only: first,
    });
    const own = await running.openStore({}, menu, [], [promo('TEN', false), promo('FIRST', true)]);
    const till = tillOf(running, own);
    expect((await till.sell({ promo_code: 'ten', tenders: [{ kind: 'cash' }] })).body.order.total_pence).toBe(576);
    expect(codeOf(await till.sell({ promo_code: 'first', tenders: [{ kind: 'cash' }] }))).toEqual([422, 'PROMO_NOT_APPLICABLE']);
  });

  test('that costs nothing is paid with nothing, whether tenders are sent or not', async () => {
    const till = tillOf(running, store);
    const taste = { items: [{ menu_item_id: 'sample', quantity: 1 }] };
    for (const sale of [taste, { ...taste, tenders: [{ kind: 'none' }] }]) {
      const { body } = await till.sell(sale);
      expect(body).toMatchObject({ order: { status: 'paid' }, tenders: [{ kind: 'none', amount_pence: 0 }] });
    }
    expect(codeOf(await till.sell({ ...taste, tenders: [{ kind: 'cash' }] }))).toEqual([422, 'TENDERS_MISMATCH']);
  });

  test('is made by staff although the store is closed, paused, and without a payment account; a partner is refused', async () => {
    const never = { starts_at: '2020-01-01T00:00:00Z', ends_at: '2099-01-01T00:00:00Z' };
    const closed = await running.openStore({ closures: [never], connected_account_id: null });
    expect((await tillOf(running, closed).sell()).status).toBe(200);
    expect(codeOf(await tillOf(running, closed, { scopes: 'orders:create' }).sell())).toEqual([409, 'STORE_CLOSED']);
    const bare = await running.openStore({ connected_account_id: null });
    const { body } = await tillOf(running, bare, { scopes: 'orders:create' }).sell();
    expect(body.order).toMatchObject({ channel: 'partner', status: 'paid' });
  });

  test('is not accepted for a store that is not live', async () => {
    const dark = await running.openStore({ status: 'dark' });
    expect(codeOf(await tillOf(running, dark).sell())).toEqual([409, 'STORE_NOT_ACCEPTING_ORDERS']);
  });
});

describe('tenders that do not pay the sale', () => {
  const wrong: readonly [string, readonly Record<string, unknown>[]][] = [
    ['sum to less', [{ kind: 'cash', amount_pence: 600 }]],
    [
      'sum to more',
      [
        { kind: 'cash', amount_pence: 600 },
        { kind: 'external_card', amount_pence: 60, reference: '1' },
      ],
    ],
    ['leave out an amount beside another one', [{ kind: 'cash' }, { kind: 'external_card', amount_pence: 60, reference: '1' }]],
    ['give less cash than they pay', [{ kind: 'cash', given_pence: 600 }]],
    ['pay nothing', [{ kind: 'cash' }, { kind: 'external_card', amount_pence: 0, reference: '1' }]],
    ['are none', [{ kind: 'none' }]],
  ];
  test.each(wrong)('%s: nothing is placed', async (_what, tenders) => {
    const before = await ordersOf(running, store.id);
    expect(codeOf(await tillOf(running, store).sell({ tenders }))).toEqual([422, 'TENDERS_MISMATCH']);
    expect(await ordersOf(running, store.id)).toBe(before);
  });

  test('a card without a reference, a reference of cash and cash given for a card are refused, and the field is named', async () => {
    const { sell } = tillOf(running, store);
    for (const [tender, field] of [
      [{ kind: 'external_card' }, 'reference'],
      [{ kind: 'cash', reference: '1' }, 'reference'],
      [{ kind: 'external_card', reference: '1', given_pence: 700 }, 'given_pence'],
    ] as const) {
      const { status, body } = await sell({ tenders: [tender] });
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(body.error.message).toContain(field);
    }
  });

  test('the database refuses tenders that do not sum to the total, and a refund of more than a tender paid', async () => {
    const { body } = await tillOf(running, store).sell();
    const enter = (kind: string, pence: number) =>
      running.service.database.transaction(async (tx) => {
        await tx.query(sql.type(z.object({}))`
          insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at, tender)
          values (${store.id}, ${body.order.id}, ${kind}, ${randomUUID()}, ${pence}, now(), 'cash')`);
      });
    await expect(enter('charge', 1)).rejects.toThrow();
    await expect(enter('refund', -641)).rejects.toThrow();
    await enter('refund', -640);
  });
});

describe('who may sell', () => {
  test('a customer may not, nor staff of another store, nor a partner without the scope', async () => {
    const sale = { store_id: store.id, items: [{ menu_item_id: 'flat-white', quantity: 1 }] };
    expect(codeOf(await customer(running).call('POST', '/api/v1/orders/at-counter', sale))).toEqual([403, 'WRONG_TOKEN_TYPE']);
    const other = await running.openStore();
    expect(codeOf(await tillOf(running, other).call('POST', '/api/v1/orders/at-counter', sale))).toEqual([403, 'STORE_FORBIDDEN']);
    expect(codeOf(await tillOf(running, store, { scopes: 'orders:write' }).sell())).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });
});

describe('a repeat with the same Idempotency-Key', () => {
  test('returns the same sale; another basket is refused', async () => {
    const till = tillOf(running, store);
    const key = randomUUID();
    const [first, second] = [await till.sell({ tenders: cash }, key), await till.sell({ tenders: cash }, key)];
    expect(second.body).toEqual(first.body);
    expect(codeOf(await till.sell({ tip_pence: 10, tenders: [{ kind: 'cash' }] }, key))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  test('two at once, and one after the stored response was lost, are one sale', async () => {
    const own = await running.openStore();
    const till = tillOf(running, own);
    const key = randomUUID();
    await Promise.all([till.sell({ tenders: cash }, key), till.sell({ tenders: cash }, key)]);
    await running.service.database.query(sql.type(z.object({}))`delete from idempotency_key`);
    expect((await till.sell({ tenders: cash }, key)).body.tenders).toHaveLength(1);
    expect(await ordersOf(running, own.id)).toBe(1);
    await running.service.database.query(sql.type(z.object({}))`delete from idempotency_key`);
    expect(codeOf(await till.sell({ tip_pence: 10, tenders: [{ kind: 'cash' }] }, key))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });
});

describe('the customer of a sale', () => {
  test('is whom loyalty finds: the sale is theirs, and earns as a phone’s order does', async () => {
    const ada = randomUUID();
    await using lookUps = await startLookUps(running, { '2345': [ada] });
    const till = tillOf(running, store);
    const { body } = await till.sell({ customer: '2345', tenders: [{ kind: 'cash' }] });
    expect(body.order).toMatchObject({ customer_id: ada, without_customer: false });
    expect((await eventsOf(running, body.order.id))[0]?.data).toMatchObject({ customer_id: ada, is_first: true });
    expect((await eventsOf(running, body.order.id))[0]?.data.without_customer).toBeUndefined();
    expect(lookUps.asked).toEqual([{ store_id: store.id, q: '2345', by: { kind: 'staff', id: till.sub, name: 'Ada' } }]);
    const mine = await customer(running, ada).call('GET', '/api/v1/orders/mine');
    expect(mine.body.orders.map(({ id }: { id: string }) => id)).toEqual([body.order.id]);
  });

  test('is refused when no one or several are found, and nothing is placed', async () => {
    await using _lookUps = await startLookUps(running, { '2345': [randomUUID(), randomUUID()] });
    const before = await ordersOf(running, store.id);
    for (const typed of ['2345', '9999'])
      expect(codeOf(await tillOf(running, store).sell({ customer: typed, tenders: [{ kind: 'cash' }] }))).toEqual([
        404,
        'CUSTOMER_NOT_FOUND',
      ]);
    expect(await ordersOf(running, store.id)).toBe(before);
  });

  test('cannot be found while loyalty does not reply: the refusal says when to come back', async () => {
    const { status, body, headers } = await tillOf(running, store).sell({ customer: '2345', tenders: [{ kind: 'cash' }] });
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'UPSTREAM_UNAVAILABLE', '2']);
  });

  test('of a partner’s sale is named by a card alone', async () => {
    await using lookUps = await startLookUps(running, {});
    await tillOf(running, store, { scopes: 'orders:create' }).sell({ customer: '2345', tenders: [{ kind: 'cash' }] });
    expect(lookUps.asked).toMatchObject([{ by: null }]);
  });

  test('may use a voucher; without a customer none is taken', async () => {
    const ada = randomUUID();
    const voucher_id = randomUUID();
    await using _lookUps = await startLookUps(running, { [ada]: [ada] });
    await using loyalty = await startLoyalty(running);
    loyalty.issue(voucher_id, { value_kind: 'amount', value: 100, item_id: null });
    const till = tillOf(running, store);
    expect(codeOf(await till.sell({ voucher_id, tenders: [{ kind: 'cash' }] }))).toEqual([400, 'VALIDATION_FAILED']);
    const { body } = await till.sell({ voucher_id, customer: ada, tenders: [{ kind: 'cash' }] });
    expect(body.order).toMatchObject({ status: 'paid', total_pence: 540, discount_pence: 100 });
    expect(loyalty.holderOf(voucher_id)).toBe(body.order.id);
  });

  test('cannot cancel it by phone: its money is in the till', async () => {
    const ada = randomUUID();
    await using _lookUps = await startLookUps(running, { [ada]: [ada] });
    const { body } = await tillOf(running, store).sell({ customer: ada, order_type: 'collect', tenders: [{ kind: 'cash' }] });
    const cancel = await customer(running, ada).call('POST', `/api/v1/orders/${body.order.id}/cancel`, { store_id: store.id });
    expect(codeOf(cancel)).toEqual([409, 'TOO_LATE_TO_CANCEL']);
    expect(await ledgerOf(running, body.order.id)).toHaveLength(1);
  });
});

describe('an open sale', () => {
  test('keeps what it holds for twelve hours, and then ends', async () => {
    const own = await running.openStore();
    const till = tillOf(running, own);
    const id = await till.open({ items: [{ menu_item_id: 'last-cake', quantity: 1 }] });
    expect((await till.get(id)).body.order).toMatchObject({ status: 'pending_payment', channel: 'counter' });
    running.clock.advance({ minutes: 719 });
    await expireUnpaidOrders(running.service.context);
    expect(await takenOf(running, own.id)).toBe(1);
    running.clock.advance({ minutes: 2 });
    await expireUnpaidOrders(running.service.context);
    expect(await takenOf(running, own.id)).toBe(0);
    expect((await till.get(id)).body.order.status).toBe('expired');
  });

  test('does not give way to the orders that its customer places by phone', async () => {
    const own = await running.openStore();
    const ada = customer(running);
    await using _lookUps = await startLookUps(running, { [ada.sub]: [ada.sub] });
    const id = await tillOf(running, own).open({ customer: ada.sub });
    for (let n = 0; n < 11; n += 1) expect((await ada.create(own)).status).toBe(200);
    expect((await tillOf(running, own).get(id)).body.order.status).toBe('pending_payment');
  });
});
