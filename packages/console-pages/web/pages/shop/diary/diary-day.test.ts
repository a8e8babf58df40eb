import { expect, test } from '@jest/globals';
import { type BookingState, byChair, clashesOf, dayBounds, formOf, timesOf } from './diary-day.ts';

const zone = 'Europe/London';
const booking = (id: string, starts_at: string, ends_at: string, fields: { unit_id?: string; state?: BookingState } = {}) => ({
  id,
  starts_at,
  ends_at,
  unit_id: 'one',
  state: 'booked' as BookingState,
  ...fields,
});

test('a day of the diary lasts from midnight to midnight of the store, 23 and 25 hours when the clocks change', () => {
  const hours = ['2026-03-28', '2026-03-29', '2026-10-25'].map((date) => {
    const { from, to } = dayBounds(date, zone);
    return `${new Date(from).toISOString().slice(0, 16)} ${(to - from) / 3_600_000}`;
  });
  expect(hours).toEqual(['2026-03-28T00:00 24', '2026-03-29T00:00 23', '2026-10-24T23:00 25']);
});

test('bookings stand under their chairs in the order of their starts, and those of a chair that is gone last', () => {
  const bookings = [
    booking('late', '2026-11-23T11:00:00Z', '2026-11-23T12:00:00Z'),
    booking('gone', '2026-11-23T08:00:00Z', '2026-11-23T09:00:00Z', { unit_id: 'three' }),
    booking('early', '2026-11-23T10:00:00+01:00', '2026-11-23T09:30:00Z'),
  ];
  const chairs = [
    { id: 'one', name: 'Chair 1' },
    { id: 'two', name: 'Chair 2' },
  ];
  const shown = byChair(bookings, chairs).map(({ chair, bookings: of }) => [chair?.name, ...of.map(({ id }) => id)]);
  expect(shown).toEqual([['Chair 1', 'early', 'late'], ['Chair 2'], [undefined, 'gone']]);
});

test('two bookings clash that take one chair at once; those that are done or cancelled take none', () => {
  const clashes = clashesOf([
    booking('a', '2026-11-23T09:00:00Z', '2026-11-23T10:00:00Z'),
    booking('b', '2026-11-23T09:59:00Z', '2026-11-23T10:30:00Z', { state: 'started' }),
    booking('next', '2026-11-23T10:30:00Z', '2026-11-23T11:00:00Z'),
    booking('done', '2026-11-23T09:00:00Z', '2026-11-23T11:00:00Z', { state: 'done' }),
    booking('other', '2026-11-23T09:00:00Z', '2026-11-23T11:00:00Z', { unit_id: 'two' }),
  ]);
  expect([...clashes]).toEqual(['a', 'b']);
});

test('a booking is typed in the clock of the store and lasts its minutes, also over a change of the clocks', () => {
  const form = { unit_id: 'one', date: '2026-03-29', time: '00:30', minutes: 90 };
  const times = { starts_at: '2026-03-29T00:30:00.000Z', ends_at: '2026-03-29T02:00:00.000Z' };
  expect(timesOf(form, zone)).toEqual(times);
  expect(formOf(booking('a', times.starts_at, times.ends_at), zone)).toEqual(form);
  expect(
    [
      { ...form, time: '' },
      { ...form, minutes: Number.NaN },
      { ...form, date: '' },
    ].map((each) => timesOf(each, zone)),
  ).toEqual([null, null, null]);
});
