// covers: createOrder

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiResponse, basketOf, codeOf, customer, worker } from '../testing/callers.ts';
import { startLoyalty } from '../testing/loyalty.ts';
import { expireOverdue, takenOf, usedOf, usesOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

async function storeWith(amount: number) {
  const at = (hours: number) => new Date(running.clock.now().getTime() + hours * 3_600_000).toISOString();
  const slot = { id: randomUUID(), starts_at: at(2), ends_at: at(3), capacity: amount };
  const promo = { id: randomUUID(), code: 'SPRING', kind: 'percent', value: 10, max_uses: amount } as const;
  const bun = { id: 'bun', name: 'Bun', price_pence: 100, stock: amount };
  const store = await running.openStore({}, [...menu, bun], [slot], [promo]);
  return { store, slotId: slot.id, promoId: promo.id };
}
type Store = Awaited<ReturnType<typeof storeWith>>;

const buns = (quantity: number) => ({ items: [{ menu_item_id: 'bun', quantity }] });
const kinds = {
  stock: { request: () => buns(1), refusal: [409, 'OUT_OF_STOCK'], held: ({ store }: Store) => takenOf(running, store.id, 'bun') },
  slot: {
    request: ({ slotId }: Store) => ({ slot_id: slotId }),
    refusal: [409, 'SLOT_JUST_FILLED'],
    held: ({ slotId }: Store) => usedOf(running, slotId),
  },
  promo: {
    request: () => ({ promo_code: 'spring' }),
    refusal: [409, 'PROMO_LIMIT_REACHED'],
    held: ({ promoId }: Store) => usesOf(running, promoId),
  },
} as const;
const each = Object.keys(kinds) as (keyof typeof kinds)[];

async function regular() {
  const ada = customer(running);
  await ada.paid(await running.openStore());
  return ada;
}
const guestsPlace = (store: OpenStore, guests: number, request: Record<string, unknown>): Promise<readonly ApiResponse[]> =>
  Promise.all(Array.from({ length: guests }, () => customer(running).create(store, request)));
const placed = (responses: readonly ApiResponse[]) => responses.filter(({ status }) => status === 200);

describe('customers who never paid', () => {
  test.each(each)('hold three quarters of a large %s together unpaid, and the rest is for those who paid before', async (kind) => {
    const { request, refusal, held } = kinds[kind];
    const shop = await storeWith(40);
    const responses = await guestsPlace(shop.store, 50, request(shop));
    expect(placed(responses)).toHaveLength(30);
    expect(responses.filter(({ status }) => status !== 200).map(codeOf)).toEqual(Array(20).fill(refusal));
    const ada = await regular();
    for (let n = 0; n < 10; n += 1) expect((await ada.create(shop.store, request(shop))).status).toBe(200);
    expect(await held(shop)).toBe(40);
    expect(codeOf(await (await regular()).create(shop.store, request(shop)))).toEqual(refusal);
    expect(running.lines.filter(({ limit, store_id }) => limit === 'share' && store_id === shop.store.id)).toHaveLength(20);
  });

  test.each(each)('who race for twenty of a %s get exactly twenty', async (kind) => {
    const { request, held } = kinds[kind];
    const shop = await storeWith(20);
    expect(placed(await guestsPlace(shop.store, 35, request(shop)))).toHaveLength(20);
    expect(await held(shop)).toBe(20);
  });

  test('who pay make room: what is paid is not counted', async () => {
    const { store } = await storeWith(40);
    const guests = Array.from({ length: 30 }, () => customer(running));
    const orders = await Promise.all(guests.map((guest) => guest.create(store, buns(1))));
    expect((await customer(running).create(store, buns(1))).status).toBe(409);
    await Promise.all(
      guests.slice(0, 20).map(async (guest, n) => {
        await guest.payAndConfirm(store, orders[n]?.body);
      }),
    );
    expect(placed(await guestsPlace(store, 15, buns(1)))).toHaveLength(10);
    expect(await takenOf(running, store.id, 'bun')).toBe(40);
  });

  test('cannot take all of it in one order, but the share', async () => {
    const { store } = await storeWith(40);
    expect(codeOf(await customer(running).create(store, buns(31)))).toEqual([409, 'OUT_OF_STOCK']);
    expect((await customer(running).create(store, buns(30))).status).toBe(200);
    expect(codeOf(await customer(running).create(store, buns(1)))).toEqual([409, 'OUT_OF_STOCK']);
    const ada = await regular();
    expect((await ada.create(store, buns(10))).status).toBe(200);
  });

  test('are counted for each store alone, although items of several stores have one id', async () => {
    const [one, other] = [await storeWith(40), await storeWith(40)];
    expect((await customer(running).create(one.store, buns(30))).status).toBe(200);
    expect((await customer(running).create(other.store, buns(30))).status).toBe(200);
  });
});

describe('open orders that cost nothing', () => {
  const taste = { items: [{ menu_item_id: 'sample', quantity: 1 }] };

  test('are ten of a customer, also when they are placed at once, and one more when one was handed over', async () => {
    const { store } = await storeWith(1);
    const ada = customer(running);
    const responses = await Promise.all(Array.from({ length: 16 }, () => ada.create(store, taste)));
    expect(placed(responses)).toHaveLength(10);
    const refused = responses.find(({ status }) => status !== 200) as ApiResponse;
    expect([...codeOf(refused), refused.headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '60']);
    expect(refused.body.error.message).toBe(
      'This customer has too many orders that cost nothing and are not handed over yet at the store.',
    );
    const [first] = placed(responses) as [ApiResponse];
    await handOver(store, first.body.order_id);
    expect((await ada.create(store, taste)).status).toBe(200);
    expect((await ada.create(store, taste)).status).toBe(429);
    expect((await ada.create(store)).status).toBe(200);
  });

  test('are ten of a device, and a hundred of an address of any customer', async () => {
    const { store } = await storeWith(1);
    const device = { ...taste, device_fingerprint: 'one-phone' };
    expect(placed(await guestsPlace(store, 14, device))).toHaveLength(10);
    const place = () => customer(running).call('POST', '/api/v1/orders', basketOf(store, taste), { 'x-forwarded-for': '198.51.100.4' });
    const responses: ApiResponse[] = [];
    for (let part = 0; part < 6; part += 1) responses.push(...(await Promise.all(Array.from({ length: 20 }, place))));
    expect(placed(responses)).toHaveLength(100);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 429]));
  });

  test('that a voucher paid are not counted', async () => {
    await using loyalty = await startLoyalty(running);
    const { store } = await storeWith(1);
    const ada = customer(running);
    for (let n = 0; n < 11; n += 1) {
      const voucher_id = randomUUID();
      loyalty.issue(voucher_id, { value_kind: 'percent', value: 100, item_id: null });
      expect((await ada.create(store, { items: [{ menu_item_id: 'croissant', quantity: 1 }], voucher_id })).body.status).toBe('paid');
    }
    expect((await ada.create(store, taste)).status).toBe(200);
  });
});

describe('a promo code for a first order', () => {
  async function store() {
    const codes = ['WELCOME', 'HELLO'].map((code) => ({
      id: randomUUID(),
      code,
      kind: 'percent' as const,
      value: 10,
      first_order_only: true,
    }));
    return await running.openStore({}, menu, [], codes);
  }
  const welcome = (device_fingerprint: string | null, promo_code = 'welcome') => ({ promo_code, device_fingerprint });

  test('is not given to another customer of a device that uses or holds one, whichever code it was', async () => {
    const [here, there] = [await store(), await store()];
    expect((await customer(running).create(here, welcome('phone'))).status).toBe(200);
    for (const code of ['welcome', 'hello']) {
      const refused = await customer(running).create(here, welcome('phone', code));
      expect(codeOf(refused)).toEqual([422, 'PROMO_NOT_APPLICABLE']);
    }
    expect((await customer(running).create(here, welcome('another'))).status).toBe(200);
    expect((await customer(running).create(here, welcome(null))).status).toBe(200);
    expect((await customer(running).create(there, welcome('phone'))).status).toBe(200);
  });

  test('is given once when three customers of a device ask at once', async () => {
    const here = await store();
    expect(placed(await guestsPlace(here, 3, welcome('phone')))).toHaveLength(1);
  });

  test('is free for the device again when the order that held it has ended unpaid', async () => {
    const here = await store();
    await customer(running).create(here, welcome('phone'));
    await expireOverdue(running);
    expect((await customer(running).create(here, welcome('phone'))).status).toBe(200);
  });
});

const handOver = async (store: OpenStore, orderId: string) => {
  const { status } = await worker(running, store).call('PATCH', `/api/v1/orders/${orderId}/status`, {
    store_id: store.id,
    status: 'fulfilled',
  });
  expect(status).toBe(200);
};
