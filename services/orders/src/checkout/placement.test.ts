import { Problem } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { randomly } from '../testing/run-concurrently.ts';
import { type BasketRequest, basketOf, type RequestedLine } from './rules/basket.ts';
import { checkBasket, type Stocked, type Store } from './rules/check-basket.ts';
import { decidePlacement, holdsOf, type PlacementRequest } from './rules/placement.ts';

const placedAt = new Date('2026-05-01T12:00:00Z');
const store: Store = {
  id: 'store',
  code: 'S1',
  currency: 'GBP',
  time_zone: 'Europe/London',
  connected_account_id: 'acct_1',
  account_restricted: false,
  fee_bps: 500,
  on_behalf_of: false,
  hours: [],
  live: true,
  closures: [],
  paused_until: null,
  staff_pause: false,
  staff_pause_until: null,
  switches: 0,
  pace: null,
};
const item = (id: string, price_pence: number, stock: number | null = null) => ({
  id,
  kind: 'item' as const,
  options: [],
  name: id,
  price_pence,
  vat_rate_bps: null,
  stock,
  taken: 0,
  sold_out: false,
  sold_out_until: null,
  prep_minutes: 5,
  available: true,
});

const slot = {
  id: 'slot',
  starts_at: '2026-05-01T14:00:00.000000Z',
  ends_at: '2026-05-01T14:15:00.000000Z',
  capacity: 1,
  used: 0,
  open: true,
};
const promo = { id: 'promo', code: 'TEN', label: null, kind: 'percent' as const, value: 10, min_subtotal_pence: 0 };
const stocked: Stocked = {
  store,
  items: [item('coffee', 350), item('cake', 500, 3)],
  slots: [slot],
  promo: { ...promo, starts_at: null, ends_at: null, first_order_only: false },
  has_paid_before: false,
  is_proven: false,
  device_used_first_order_code: false,
};
const mixed = basketOf({
  items: [],
  fulfilment_groups: [
    { role: 'now', items: [{ menu_item_id: 'coffee', quantity: 1 }] },
    { role: 'collect', slot_id: 'slot', items: [{ menu_item_id: 'cake', quantity: 2 }] },
  ],
});

const request: PlacementRequest = {
  customerId: 'customer',
  withoutCustomer: false,
  channel: 'phone',
  placedBy: null,
  key: 'key',
  fingerprint: '00',
  mode: 'counter',
  paymentMode: 'test',
  tableNumber: null,
  eatIn: false,
  voucherId: null,
  bookingRef: null,
  deviceHash: null,
  addressHash: null,
  limits: { unpaid: [10, 10, 200], free: [10, 10, 100], unproven: { amount: 20, percent: 75 } },
  expectedTotalPence: null,
  expectedReadyFrom: null,
  placedAt,
  tipPence: 0,
  usesPromo: true,
  reward: null,
  holdMinutes: 8,
  ids: ['main', 'leg'],
};
const place = (changes: Partial<PlacementRequest> = {}) =>
  decidePlacement(checkBasket(mixed, { storeCode: 's1 ', channel: 'phone', eatIn: false }, stocked, placedAt), stocked, {
    ...request,
    ...changes,
  });

function problemFor(storeChanges: Partial<Store> | null, storeCode: string) {
  try {
    return checkBasket(
      mixed,
      { storeCode, channel: 'phone', eatIn: false },
      { ...stocked, store: storeChanges && { ...store, ...storeChanges } },
      placedAt,
    );
  } catch (error) {
    return error instanceof Problem ? error.code : error;
  }
}

test('a placement has the ids in order, the slot of the leg, and the time to pay', () => {
  const { main, legs, payUntil } = place();
  expect([main.id, main.slotId, main.lines.length]).toEqual(['main', null, 1]);
  expect(legs.map(({ id, slotId, collectAt }) => [id, slotId, collectAt])).toEqual([['leg', 'slot', slot.starts_at]]);
  expect(payUntil.toISOString()).toBe('2026-05-01T12:08:00.000Z');
});

test('a placement holds the slot and counted stock of each part, and the promo code once for the order', () => {
  expect(holdsOf(place())).toEqual([
    { order_id: 'main', kind: 'promo', ref: 'promo', quantity: 1 },
    { order_id: 'leg', kind: 'slot', ref: 'slot', quantity: 1 },
    { order_id: 'leg', kind: 'stock', ref: 'cake', quantity: 2 },
  ]);
  expect(holdsOf(place({ usesPromo: false })).map(({ kind }) => kind)).toEqual(['slot', 'stock']);
});

test('the parts of an order take from the kitchen by time, whatever the order of their slots in the basket', () => {
  const slots = ['14:00', '12:00', '13:00'].map((time) => ({
    ...slot,
    id: time,
    starts_at: `2026-05-01T${time}:00Z`,
    ends_at: `2026-05-01T${time.replace(':00', ':30')}:00Z`,
  }));
  const paced = { ...stocked, slots, store: { ...store, pace: { minutes: 15 as const, max_items: 4 } } };
  const groups = slots.map(({ id }) => ({ role: 'collect' as const, slot_id: id, items: [{ menu_item_id: 'cake', quantity: 1 }] }));
  const basket = basketOf({ items: [], fulfilment_groups: [{ role: 'now', items: [{ menu_item_id: 'coffee', quantity: 1 }] }, ...groups] });
  const checked = checkBasket(basket, { storeCode: 's1', channel: 'phone', eatIn: false }, paced, placedAt);
  const placement = decidePlacement(checked, paced, { ...request, ids: ['main', 'at 14', 'at 12', 'at 13'] });
  expect(placement.paced?.wanted.map(({ order_id }) => order_id)).toEqual(['main', 'at 12', 'at 13', 'at 14']);
});

test('the discounts of the main order cover all parts, and the legs have their shares', () => {
  const { main, legs } = place();
  expect([main.price.subtotalPence, main.price.promoDiscountPence, main.price.totalPence]).toEqual([1_350, 135, 1_215]);
  expect(legs.map(({ price }) => [price.subtotalPence, price.promoDiscountPence, price.totalPence])).toEqual([[1_000, 100, 900]]);
});

test.each<[string, Partial<Store> | null, string]>([
  ['STORE_NOT_FOUND', null, 'S1'],
  ['STORE_CODE_MISMATCH', {}, 'S2'],
  ['STORE_NOT_ACCEPTING_ORDERS', { live: false }, 'S1'],
  ['STORE_NOT_ACCEPTING_ORDERS', { connected_account_id: null }, 'S1'],
  ['STORE_CLOSED', { hours: [{ day: 1, opens: '09:00', closes: '10:00' }] }, 'S1'],
])('a basket is refused with %s for a store with %j and the code %s', (code, changes, storeCode) => {
  expect(problemFor(changes, storeCode)).toBe(code);
});

describe('the groups of a basket', () => {
  const flat: RequestedLine = { menu_item_id: 'flat-white', quantity: 1, choices: [], note: null };
  const slot_id = '0190a000-0000-7000-8000-0000000000f1';
  const requested_collection_at = '2026-05-01T12:00:00Z';

  describe('defaults of a basket', () => {
    test.each([
      [{}, 'buy_now', null],
      [{ order_type: 'collect' }, 'collect', 'now'],
      [{ collection_mode: 'now' }, 'collect', 'now'],
      [{ slot_id }, 'collect', 'scheduled'],
      [{ requested_collection_at }, 'collect', 'scheduled'],
      [{ order_type: 'collect', collection_mode: 'scheduled', slot_id }, 'collect', 'scheduled'],
      [{ order_type: 'buy_now', slot_id: null, requested_collection_at: null }, 'buy_now', null],
      [{ fulfilment_groups: [] }, 'buy_now', null],
    ] as const)('%j is %s %s', (request, orderType, collectionMode) => {
      const { main, legs } = basketOf({ items: [flat], ...request } as BasketRequest);
      expect([main.orderType, main.collectionMode, legs]).toEqual([orderType, collectionMode, []]);
    });
  });

  test.each([
    ['slot_id: ', { collection_mode: 'scheduled' }],
    ['slot_id: ', { collection_mode: 'now', slot_id }],
    ['requested_collection_at: ', { collection_mode: 'now', requested_collection_at }],
    ['slot_id: ', { order_type: 'buy_now', slot_id }],
    ['collection_mode: ', { order_type: 'buy_now', collection_mode: 'scheduled' }],
  ] as const)('the problem names %sfor %j', (field, request) => {
    expect(() => basketOf({ items: [flat], ...request } as BasketRequest)).toThrow(field);
  });

  test('groups become the main order and legs in their order, whatever the order of their roles', () => {
    const leg = (quantity: number) => ({ role: 'collect' as const, items: [{ ...flat, quantity }] });
    const { main, legs } = basketOf({
      items: [],
      fulfilment_groups: [leg(1), { role: 'now', items: [flat, flat] }, { ...leg(3), slot_id }],
    });
    expect([main.orderType, main.lines]).toEqual(['buy_now', [{ ...flat, quantity: 2 }]]);
    expect(legs.map(({ lines, slotId, collectionMode }) => [lines[0]?.quantity, slotId, collectionMode])).toEqual([
      [1, null, 'now'],
      [3, slot_id, 'scheduled'],
    ]);
  });

  test('items are accepted when they are the sum of the groups, in any order and split, and refused when one differs', () => {
    for (const draw of randomly(500)) {
      const lines = (least: number) =>
        Array.from({ length: draw(least, 4) }, () => ({
          menu_item_id: `item-${draw(0, 3)}`,
          quantity: draw(1, 5),
          choices: draw(0, 1) === 0 ? [] : ['oat'],
        }));
      const fulfilment_groups = [
        { role: 'now' as const, items: lines(1) },
        ...Array.from({ length: draw(1, 5) }, () => ({ role: 'collect' as const, items: lines(1) })),
      ];
      const singles = fulfilment_groups.flatMap(({ items }) =>
        items.flatMap(({ quantity, ...line }) => Array.from({ length: quantity }, () => ({ ...line, quantity: 1 }))),
      );
      const shuffled = singles
        .map((single) => ({ single, by: draw(0, 1_000_000) }))
        .toSorted((a, b) => a.by - b.by)
        .map(({ single }) => single);
      const { main, legs } = basketOf({ items: shuffled, fulfilment_groups });
      const count = [main, ...legs].flatMap(({ lines }) => lines).reduce((sum, { quantity }) => sum + quantity, 0);
      expect(count).toBe(singles.length);
      expect(() => basketOf({ items: [...shuffled, { menu_item_id: 'item-0', quantity: 1 }], fulfilment_groups })).toThrow('items: ');
      if (shuffled.length > 1) expect(() => basketOf({ items: shuffled.slice(1), fulfilment_groups })).toThrow('items: ');
    }
  });
});
