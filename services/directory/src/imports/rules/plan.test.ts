import { type DirectoryObject, type ObjectKind, objectSchemas } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { changedFields } from '../../object/rules/changed-fields.ts';
import { planOf } from './plan.ts';

const id = '0190a000-0000-7000-8000-000000000001';
const other = '0190a000-0000-7000-8000-000000000002';
const store = { name: 'Corner Coffee', currency: 'EUR' };

function plan<K extends ObjectKind>(kind: K, before: object | null, after: object, of: typeof store | null = store): string[] {
  const parse = (entry: object) => objectSchemas[kind].parse(entry) as DirectoryObject;
  const [from, data] = [before && parse(before), parse(after)];
  return planOf({ kind, id, before: from, data, fields: changedFields(kind, from, data), store: of });
}

test('entries of lists are named by their keys: what is new, gone, changed or moved', () => {
  const [tea, cake] = [
    { id: 'tea', name: 'Tea', price_pence: 200 },
    { id: 'cake', name: 'Cake', price_pence: 350 },
  ];
  const bun = { id: 'bun', name: 'Bun', price_pence: 100 };
  expect(plan('menu', { store_id: id, items: [tea, cake] }, { store_id: id, items: [{ ...tea, available: false }, bun] })).toEqual([
    'menu of Corner Coffee: item tea: available yes → no',
    'menu of Corner Coffee: item cake: removed',
    'menu of Corner Coffee: item bun: new',
  ]);
  expect(plan('menu', { store_id: id, items: [tea, cake] }, { store_id: id, items: [cake, { ...tea, price_pence: 250 }] })).toEqual([
    'menu of Corner Coffee: item tea: price €2.00 → €2.50',
    'menu of Corner Coffee: item order tea, cake → cake, tea',
  ]);
});

test('hours are compared day by day', () => {
  const shop = { id, code: 'S1', name: 'Corner Coffee' };
  const monday = { day: 1, opens: '08:00', closes: '12:00' };
  const hours = [monday, { day: 1, opens: '13:00', closes: '17:00' }];
  expect(plan('store', { ...shop, hours }, { ...shop, hours: [monday, { ...monday, day: 7 }], fee_bps: 250 })).toEqual([
    'store Corner Coffee: fee 0 % → 2.5 %',
    'store Corner Coffee: hours on Monday 08:00–12:00, 13:00–17:00 → 08:00–12:00',
    'store Corner Coffee: hours on Sunday closed → 08:00–12:00',
  ]);
  expect(plan('store', shop, { ...shop, hours: [monday] })).toHaveLength(7);
});

test('persons and places are named without personal data', () => {
  expect(plan('customer', { id }, { id, name: 'Ana', email: 'ana@example.com' }, null)).toEqual([
    `customer ${id}: name changed`,
    `customer ${id}: email changed`,
  ]);
  expect(plan('staff', null, { id, name: 'Bo', stores: [] }, null)).toEqual(['staff Bo: new']);
  const booking = { id, store_id: other, unit_id: other, starts_at: '2026-05-01T10:00:00Z', ends_at: '2026-05-01T10:30:00Z' };
  expect(plan('booking', booking, { ...booking, state: 'done' }, null)).toEqual([`booking ${id} at store ${other}: state booked → done`]);
});
