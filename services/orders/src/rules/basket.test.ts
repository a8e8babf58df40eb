import { describe, expect, test } from '@jest/globals';
import { randomly } from '../testing/randomly.ts';
import { type BasketRequest, basketOf } from './basket.ts';
import type { RequestedLine } from './pricing.ts';

const flat: RequestedLine = { menu_item_id: 'flat-white', quantity: 1 };
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
  const { main, legs } = basketOf({ items: [], fulfilment_groups: [leg(1), { role: 'now', items: [flat, flat] }, { ...leg(3), slot_id }] });
  expect([main.orderType, main.lines]).toEqual(['buy_now', [{ ...flat, quantity: 2 }]]);
  expect(legs.map(({ lines, slotId, collectionMode }) => [lines[0]?.quantity, slotId, collectionMode])).toEqual([
    [1, null, 'now'],
    [3, slot_id, 'scheduled'],
  ]);
});

test('items are accepted when they are the sum of the groups, in any order and split, and refused when one differs', () => {
  for (const draw of randomly(500)) {
    const lines = (least: number): RequestedLine[] =>
      Array.from({ length: draw(least, 4) }, () => ({ menu_item_id: `item-${draw(0, 3)}`, quantity: draw(1, 5) }));
    const fulfilment_groups = [
      { role: 'now' as const, items: lines(1) },
      ...Array.from({ length: draw(1, 5) }, () => ({ role: 'collect' as const, items: lines(1) })),
    ];
    const singles = fulfilment_groups.flatMap(({ items }) =>
      items.flatMap(({ menu_item_id, quantity }) => Array.from({ length: quantity }, () => ({ menu_item_id, quantity: 1 }))),
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
