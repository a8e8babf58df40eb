import { objectSchemas } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { logTitle } from '../../stores/rules/log.ts';
import { changedFields } from './changed-fields.ts';
import { editList } from './edit-list.ts';
import { findFaults } from './faults.ts';

const storeId = '0190a000-0000-7000-8000-000000000001';
const menu = (items: readonly object[]) =>
  objectSchemas.menu.parse({ store_id: storeId, items: items.map((item) => ({ price_pence: 1, ...item })) });

describe('the fields of a change', () => {
  test('are named by dotted paths with the ids of entries; an entry that is new or gone is one field', () => {
    const from = menu([
      { id: 'a', name: 'A' },
      { id: 'b', name: 'B' },
    ]);
    const to = menu([
      { id: 'a', name: 'A2', vat_rate_bps: 0 },
      { id: 'c', name: 'C' },
    ]);
    expect(changedFields('menu', from, to)).toEqual([
      { field: 'items.a.name', from: 'A', to: 'A2' },
      { field: 'items.a.vat_rate_bps', from: null, to: '0' },
      { field: 'items.b', from: expect.stringContaining('"B"'), to: null },
      { field: 'items.c', from: null, to: expect.stringContaining('"C"') },
    ]);
  });

  test('name the order of entries, and nothing when only the order of an entry’s fields differs', () => {
    const [a, b] = [
      { id: 'a', name: 'A' },
      { id: 'b', name: 'B' },
    ];
    expect(changedFields('menu', menu([a, b]), menu([b, a]))).toEqual([{ field: 'items.order', from: 'a, b', to: 'b, a' }]);
    const stored = JSON.parse(
      JSON.stringify(menu([a]), [
        'items',
        'name',
        'price_pence',
        'id',
        'available',
        'vat_rate_bps',
        'stock',
        'prep_minutes',
        'promos',
        'store_id',
        'category',
        'description',
        'image_url',
        'allergens',
        'diet',
        'options',
      ]),
    );
    expect(changedFields('menu', stored, menu([a]))).toEqual([]);
  });

  test('show no personal value, and no more than 300 characters and 500 fields', () => {
    const staff = (more: object) => objectSchemas.staff.parse({ id: storeId, name: 'Gil', stores: [], ...more });
    const card = { token_id: 'card_0123456789abcdef', store_id: storeId };
    expect(changedFields('staff', staff({}), staff({ name: 'Gil B.', cards: [card] }))).toEqual([
      { field: 'name', from: null, to: null },
      { field: 'cards', from: null, to: null },
    ]);
    const long = changedFields(
      'menu',
      menu([{ id: 'a', name: 'A' }]),
      menu(Array.from({ length: 600 }, (_, n) => ({ id: `i${n}`, name: 'x'.repeat(120) }))),
    );
    expect([long.length, long.at(-1)?.field]).toEqual([500, '…']);
    const hours = Array.from({ length: 20 }, () => ({ day: 1, opens: '08:00', closes: '09:00' }));
    const store = (more: object) => objectSchemas.store.parse({ id: storeId, code: 'S1', name: 'A', ...more });
    expect(changedFields('store', store({}), store({ hours }))[0]?.to).toHaveLength(301);
    const cut = changedFields('store', store({}), store({ welcome_message: `${'x'.repeat(299)}😀` }))[0]?.to;
    expect(cut).toBe(`${'x'.repeat(299)}…`);
  });

  test('stand in the title of a row, three of them', () => {
    const fields = ['a', 'b', 'c', 'd', 'e'].map((field) => ({ field, from: null, to: '1' }));
    expect(logTitle({ kind: 'floor', version: 2, fields })).toBe('Changed the chairs and services: a, b, c and 2 more.');
    expect(logTitle({ kind: 'booking', version: 1, fields })).toBe('Wrote a booking into the diary.');
  });
});

describe('an edit of a list', () => {
  test('merges, adds, removes and orders, by keys without regard to case', () => {
    const list = [
      { id: 'A', n: 1 },
      { id: 'b', n: 2 },
      { id: 'c', n: 3 },
    ];
    const edited = editList(list, 'id', {
      upsert: [
        { id: 'a', n: 9 },
        { id: 'd', n: 4 },
      ],
      remove: ['B'],
      order: ['c', 'D'],
    });
    expect(edited).toEqual([
      { id: 'c', n: 3 },
      { id: 'd', n: 4 },
      { id: 'a', n: 9 },
    ]);
    expect(editList(list, 'id', {})).toEqual(list);
  });
});

describe('faults that the schema of an object lets pass', () => {
  const booking = (more: object) => ({
    id: storeId,
    store_id: storeId,
    unit_id: storeId,
    starts_at: '2026-05-01T12:00:00Z',
    ends_at: '2026-05-01T13:00:00Z',
    ...more,
  });

  test.each<[string, Parameters<typeof findFaults>, string]>([
    ['a year 0', ['booking', booking({ starts_at: '0000-01-01T00:00:00Z' })], 'starts_at: has no year 0'],
    [
      'a number over four bytes',
      ['menu', menu([{ id: 'a', name: 'A', price_pence: 3_000_000_000 }])],
      'items.a.price_pence: must be at most 2147483647',
    ],
    ['a NUL', ['menu', menu([{ id: 'a', name: 'a\0' }])], 'items.a.name: holds a NUL character'],
    ['an offset for a zone', ['store', { id: storeId, code: 'S', name: 'S', time_zone: '+0530' }], 'time_zone: must be the name of a zone'],
    ['half a character', ['menu', menu([{ id: 'a', name: '\ud83d' }])], 'items.a.name: holds half a character'],
    [
      'an id twice, in another case',
      [
        'menu',
        menu([
          { id: 'a', name: 'A' },
          { id: 'A', name: 'A' },
        ]),
      ],
      'items.a: is there twice',
    ],
    ['an end before the start', ['booking', booking({ ends_at: '2026-05-01T11:00:00+00:00' })], 'ends_at: must be after starts_at'],
    [
      'a device without a platform, whose token is not named',
      ['customer', { id: storeId, push_devices: [{ id: 'secret-token' }] }],
      'push_devices.0.platform: ',
    ],
  ])('are found: %s', (_, given, fault) => {
    const { faults } = findFaults(...given);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
  });
});
