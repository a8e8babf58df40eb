// covers: sellAtCounter

import { randomUUID } from 'node:crypto';
import type { ProblemCode } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf, customer } from '../testing/callers.ts';
import { type Loyalty, startLoyalty } from '../testing/loyalty.ts';
import { ordersOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { startLookUps, tillOf } from '../testing/till.ts';

let running: Running;
let store: OpenStore;

const [open, full, shut] = [randomUUID(), randomUUID(), randomUUID()];

beforeAll(async () => {
  running = await startRunning();
  const at = (hours: number) => new Date(running.clock.now().getTime() + hours * 3_600_000).toISOString();
  const slot = (id: string, hours: number, more: object = {}) => ({ id, starts_at: at(hours), ends_at: at(hours + 1), ...more });
  const promo = (code: string, more: object = {}) => ({ id: randomUUID(), code, kind: 'percent' as const, value: 10, ...more });
  store = await running.openStore(
    {},
    menu,
    [slot(open, 1), slot(full, 2, { capacity: 0 }), slot(shut, 3, { open: false })],
    [promo('OLD', { ends_at: at(-1) }), promo('ONCE', { max_uses: 1 })],
  );
  await tillOf(running, store).sell({ promo_code: 'ONCE', tenders: [{ kind: 'cash' }] });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const scheduled = (slot_id: string) => ({ collection_mode: 'scheduled', slot_id });
const croissant = { menu_item_id: 'croissant', quantity: 1 };
const baskets: readonly [ProblemCode, Record<string, unknown>][] = [
  ['ITEM_NOT_FOUND', { items: [{ menu_item_id: 'none', quantity: 1 }] }],
  ['ITEM_NOT_FOUND', { items: [{ ...croissant, choices: ['none'] }] }],
  ['PRICE_CHANGED', { expected_total_pence: 1 }],
  ['SLOT_NOT_FOUND', scheduled(randomUUID())],
  ['SLOT_CLOSED', scheduled(shut)],
  ['SLOT_JUST_FILLED', scheduled(full)],
  ['SLOT_MISMATCH', { ...scheduled(open), requested_collection_at: '2020-01-01T00:00:00Z' }],
  ['GROUPS_MISMATCH', { fulfilment_groups: [{ role: 'now', items: [croissant] }] }],
  ['PROMO_INVALID', { promo_code: 'NOPE' }],
  ['PROMO_EXPIRED', { promo_code: 'OLD' }],
  ['PROMO_LIMIT_REACHED', { promo_code: 'ONCE' }],
];

describe('a till is refused what a phone is, and nothing is placed', () => {
  test.each(baskets)('%s %j', async (code, basket) => {
    const phone = await customer(running).create(store, basket);
    const before = await ordersOf(running, store.id);
    const till = await tillOf(running, store).sell({ ...basket, tenders: [{ kind: 'cash' }] });
    expect(codeOf(till)).toEqual([phone.status, code]);
    expect(till.body.error.message).toBe(phone.body.error.message);
    expect(await ordersOf(running, store.id)).toBe(before);
  });

  test('CHOICES_INVALID', async () => {
    const choices = [{ id: 'small', name: 'Small' }];
    const options = [{ id: 'size', name: 'Size', min: 1, max: 1, choices }];
    const own = await running.openStore({}, [{ id: 'tea', name: 'Tea', price_pence: 200, options }]);
    const sale = { items: [{ menu_item_id: 'tea', quantity: 1 }], tenders: [{ kind: 'cash' }] };
    expect(codeOf(await tillOf(running, own).sell(sale))).toEqual([422, 'CHOICES_INVALID']);
  });

  test('STORE_NOT_FOUND, for a store that the directory has not published', async () => {
    const none = { ...store, id: randomUUID() };
    expect(codeOf(await tillOf(running, none).sell())).toEqual([404, 'STORE_NOT_FOUND']);
  });
});

describe('a voucher that loyalty refuses is refused at the till', () => {
  const ada = randomUUID();
  let loyalty: Loyalty;
  let lookUps: Awaited<ReturnType<typeof startLookUps>>;
  beforeAll(async () => {
    loyalty = await startLoyalty(running);
    lookUps = await startLookUps(running, { [ada]: [ada] });
  });
  afterAll(async () => {
    await lookUps[Symbol.asyncDispose]();
    await loyalty[Symbol.asyncDispose]();
  });

  test.each(['VOUCHER_NOT_FOUND', 'VOUCHER_EXPIRED', 'VOUCHER_RESERVED', 'VOUCHER_ALREADY_REDEEMED', 'VOUCHER_VOIDED'] as const)(
    '%s',
    async (code) => {
      const voucher_id = randomUUID();
      loyalty.refuse(voucher_id, code);
      const { body } = await tillOf(running, store).sell({ customer: ada, voucher_id, tenders: [{ kind: 'cash' }] });
      expect(body.error.code).toBe(code);
    },
  );

  test('VOUCHER_NOT_APPLICABLE', async () => {
    const voucher_id = randomUUID();
    loyalty.issue(voucher_id, { value_kind: 'item', value: 1, item_id: 'none' });
    const response = await tillOf(running, store).sell({ customer: ada, voucher_id, tenders: [{ kind: 'cash' }] });
    expect(codeOf(response)).toEqual([422, 'VOUCHER_NOT_APPLICABLE']);
    expect(loyalty.released).toContain(voucher_id);
  });
});
