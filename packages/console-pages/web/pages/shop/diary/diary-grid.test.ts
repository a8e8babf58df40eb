import { expect, test } from '@jest/globals';
import { dayBounds } from './diary-day.ts';
import { gridDay, placed } from './diary-grid.ts';
import { partiesOf } from './diary-parties.ts';

const zone = 'Europe/London';
const date = '2026-05-04';
const day = { date, ...dayBounds(date, zone) };
const at = (time: string) => Date.parse(`${date}T${time}:00+01:00`);
const span = (from: string, to: string) => ({ from: at(from), to: at(to) });
const textsOf = ({ hours }: { readonly hours: readonly { readonly text: string }[] }) => [hours[0]?.text, hours.at(-1)?.text, hours.length];

test('the grid shows the whole hours of the day’s shifts and of all that takes a chair', () => {
  const chair = { weekly_shifts: [{ days: [1, 2], from: '09:30', to: '17:15' }] };
  expect(textsOf(gridDay(day, zone, [chair], []))).toEqual(['09:00', '17:00', 9]);
  expect(textsOf(gridDay(day, zone, [chair], [span('08:50', '09:20'), span('18:00', '18:05')]))).toEqual(['08:00', '18:00', 11]);
  expect(textsOf(gridDay(day, zone, [], []))).toEqual(['09:00', '17:00', 9]);
  expect(textsOf(gridDay(day, zone, [{ weekly_shifts: [{ days: [1], from: '22:00', to: '02:00' }] }], []))).toEqual(['22:00', '23:00', 2]);
});

test('a booking stands at its time and is as high as it is long; two that overlap stand side by side', () => {
  const grid = span('09:00', '18:00');
  expect(placed([span('09:30', '10:00'), span('09:45', '10:15'), span('10:15', '11:00')], grid)).toEqual([
    { top: 30, minutes: 30, track: 0, tracks: 2 },
    { top: 45, minutes: 30, track: 1, tracks: 2 },
    { top: 75, minutes: 45, track: 0, tracks: 1 },
  ]);
  expect(placed([span('08:00', '09:10')], grid)).toEqual([{ top: 0, minutes: 10, track: 0, tracks: 1 }]);
});

test('walk-ins stand on the chairs that they have, or would get, by their names', () => {
  const seats = [{ unit_id: 'one', starts_at: `${date}T10:00:00+01:00`, ends_at: `${date}T10:25:00+01:00` }];
  const entry = { entry_id: 'e', customer_name: null, guest_name: 'Hal', quoted_wait_min: 12, status: 'assigned', seats } as const;
  const found = partiesOf([
    entry,
    { ...entry, entry_id: 'f', status: 'waiting' },
    { ...entry, entry_id: 'g', status: 'called', seats: [] },
  ]);
  expect(found.map(({ name, text, unitId, from, isSeated }) => [name, text, unitId, from, isSeated])).toEqual([
    ['Hal', 'in the chair', 'one', at('10:00'), true],
    ['Hal', 'expected, quoted about 12 min', 'one', at('10:00'), false],
  ]);
});
