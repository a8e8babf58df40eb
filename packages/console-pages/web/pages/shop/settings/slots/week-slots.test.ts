import { wallTimeAt } from '@corner/page-kit/logic/zones';
import { expect, test } from '@jest/globals';
import { previewSlots, type TemplateRow, weekOf } from './week-slots.ts';

const zone = 'Europe/London';
const row = (fields: Partial<TemplateRow> = {}): TemplateRow => ({
  days: [1, 2, 3, 4, 5, 6, 7],
  from: '09:00',
  to: '10:00',
  every_minutes: 30,
  capacity: 6,
  ...fields,
});
const preview = (fields: Partial<Parameters<typeof previewSlots>[0]>) =>
  previewSlots({ slots: [], template: [row()], closures: [], zone, first: '2026-11-23', days: 7, ...fields }).map(({ date, slots }) =>
    [
      date.slice(5),
      ...slots.map(({ from, closed, isDated }) => `${wallTimeAt(from, zone).time}${isDated ? ' dated' : ''}${closed ? ` ${closed}` : ''}`),
    ].join(', '),
  );

test('a template makes the slots of its days, and a rest that is no whole slot makes none', () => {
  expect(preview({ template: [row({ days: [1, 3], to: '10:40' })], days: 3 })).toEqual([
    '11-23, 09:00, 09:30, 10:00',
    '11-24',
    '11-25, 09:00, 09:30, 10:00',
  ]);
});

test('a dated slot stands in the place of those that it overlaps, and a closure closes', () => {
  const dated = { id: 'a', starts_at: '2026-11-23T09:15:00Z', ends_at: '2026-11-23T09:30:00Z', capacity: 1, open: true };
  const closure = { starts_at: '2026-11-24T09:45:00Z', ends_at: '2026-11-25T00:00:00Z' };
  const off = { ...dated, id: 'b', starts_at: '2026-11-25T09:00:00Z', ends_at: '2026-11-25T09:30:00Z', open: false };
  expect(preview({ slots: [dated, off], closures: [closure], days: 3 })).toEqual([
    '11-23, 09:15 dated, 09:30',
    '11-24, 09:00, 09:30 closure',
    '11-25, 09:00 dated switched off, 09:30',
  ]);
});

test('a night belongs to the day on which each slot begins', () => {
  expect(preview({ template: [row({ days: [7], from: '23:00', to: '00:30' })], days: 1 })).toEqual(['11-23, 00:00']);
});

test('slots begin at the same times of the clock when it changes, and in the hour that is shown twice only the first has slots', () => {
  const night = [row({ from: '00:30', to: '03:00' })];
  expect(preview({ template: night, first: '2026-10-25', days: 1 })).toEqual(['10-25, 00:30, 01:00, 01:30, 02:00, 02:30']);
  expect(preview({ template: night, first: '2026-03-29', days: 1 })).toEqual(['03-29, 00:30, 02:00, 02:30']);
});

test('a day that the calendar of a zone skips has no slots, and gives none to the day after', () => {
  const friday = [row({ days: [5] })];
  expect(previewSlots({ slots: [], template: friday, closures: [], zone: 'Pacific/Apia', first: '2011-12-29', days: 4 })).toEqual(
    ['2011-12-29', '2011-12-30', '2011-12-31', '2012-01-01'].map((date) => ({ date, slots: [] })),
  );
});

test('a row that is not whole yet shows no slots', () => {
  expect(preview({ template: [row({ from: '' }), row({ every_minutes: 0 })], days: 1 })).toEqual(['11-23']);
});

test('a week has so many slots, which hold so many orders', () => {
  expect(weekOf([row(), row({ days: [6], from: '22:00', to: '01:00' })])).toEqual({ slots: 20, orders: 120 });
  expect(weekOf([row(), row({ capacity: null })])).toEqual({ slots: 28, orders: null });
});
