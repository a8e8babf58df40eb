import { expect, test } from '@jest/globals';
import type { SwitchedItem, SwitchesReply } from '../switch-operations.ts';
import { changeText, itemsFor, minutesUntil, parseLeft, pauseText, stateText, undoOf } from './menu.ts';

const item = (fields: Partial<SwitchedItem> = {}): SwitchedItem => ({
  menu_item_id: 'croissant',
  kind: 'item',
  of: [],
  name: 'Croissant',
  price_pence: 290,
  available: true,
  sold_out: false,
  sold_out_switch: 'no',
  sold_out_until: null,
  left: null,
  left_by_staff: false,
  by: null,
  at: null,
  ...fields,
});
const timeOf = (instant: string): string => instant.slice(11, 16);

test('an item is found by a part of its name, whatever the case, the accents and the signs', () => {
  const items = [item({ name: 'Crème brûlée' }), item({ name: 'House beans, 250 g' }), item()];
  const found = (typed: string) => itemsFor(typed, items).map(({ name }) => name);
  expect([found('creme b'), found('250g'), found('CRO'), found('tea')]).toEqual([
    ['Crème brûlée'],
    ['House beans, 250 g'],
    ['Croissant'],
    [],
  ]);
  expect(found('')).toHaveLength(3);
});

test('beside its mark an item says until when it is sold out, or how many are left', () => {
  const closing = { sold_out: true, sold_out_switch: 'until_closing' } as const;
  expect(
    [
      item(),
      item({ left: 1 }),
      item({ left: 0, sold_out: true }),
      item({ ...closing, sold_out_until: '2026-05-01T18:00:00Z' }),
      item(closing),
      item({ sold_out: true, sold_out_switch: 'until_changed', left: 4 }),
      item({ available: false }),
    ].map((each) => stateText(each, timeOf)),
  ).toEqual([null, '1 unit left', 'none left', 'until 18:00', 'until closing', 'until you change it', null]);
  expect([changeText(item({ sold_out: true })), changeText(item({ left: 2 })), changeText(item())]).toEqual([
    'Croissant is sold out.',
    'Croissant is on sale, 2 units left.',
    'Croissant is on sale.',
  ]);
});

test('a change is undone by the values that its fields had before, and a stock of the menu by letting it apply again', () => {
  expect(undoOf(item(), { sold_out: 'until_closing' })).toEqual({ sold_out: 'no' });
  expect(undoOf(item({ left: 4, left_by_staff: true }), { left: 0 })).toEqual({ left: 4 });
  expect(undoOf(item({ left: 40 }), { left: 3 })).toEqual({ left: null });
});

test('units are a number, and an empty field counts none', () => {
  expect(['12', ' 0 ', '', '100000'].map(parseLeft)).toEqual([12, 0, null, 100_000]);
  expect(['-1', '1.5', 'ten', '100001'].map(parseLeft)).toEqual([undefined, undefined, undefined, undefined]);
});

test('a pause says until when it lasts and who made it, and otherwise the store says what it takes', () => {
  const said = (pause: SwitchesReply['pause'], store: object) => pauseText({ pause, store, items: [] } as unknown as SwitchesReply, timeOf);
  const by = { id: 'b', name: 'Bo' };
  expect([
    said({ until: '2026-05-01T12:20:00Z', by, at: '2026-05-01T12:00:00Z' }, {}),
    said({ until: null, by: { id: 'c', name: null }, at: '2026-05-01T12:00:00Z' }, {}),
    said(null, { takes_orders: 'now', reason: null }),
    said(null, { takes_orders: 'scheduled', reason: 'The store is closed.' }),
    said(null, { takes_orders: 'none', reason: 'The store takes no orders.' }),
  ]).toEqual([
    'Orders are paused until 12:20 by Bo.',
    'Orders are paused.',
    'The store takes orders.',
    'The store is closed. Its hours are in Settings, Hours and closures.',
    'The store takes no orders. What decides it is in Settings, Store, in Settings, Hours and closures and in Settings, Payment account.',
  ]);
});

test('a pause that is made again lasts at least a minute and at most four hours', () => {
  const now = Date.parse('2026-05-01T12:00:00Z');
  const minutes = ['2026-05-01T12:00:01Z', '2026-05-01T12:09:30Z', '2026-05-01T11:00:00Z', '2026-05-02T12:00:00Z'];
  expect([...minutes.map((until) => minutesUntil(until, now)), minutesUntil(null, now)]).toEqual([1, 10, 1, 240, null]);
});
