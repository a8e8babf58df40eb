import { describe, expect, test } from '@jest/globals';
import { copyDay, noteOf, weekText, withOpening } from '../../../../logic/week.ts';
import { closureOf, closureText, daysOf, withoutEnded } from './closures.ts';
import { holidaysFrom } from './holidays.ts';

const on = (day: number, opens = '08:00', closes = '17:00') => ({ day, opens, closes });

describe('the hours of a week', () => {
  test('are said in a line, equal days together', () => {
    expect(weekText([1, 2, 3, 4, 5].map((day) => on(day)))).toBe('Mon–Fri 08:00–17:00');
    expect(weekText([on(1), on(3), on(6, '09:00', '12:00'), on(6, '13:00', '15:00')])).toBe(
      'Mon 08:00–17:00, Wed 08:00–17:00, Sat 09:00–12:00 and 13:00–15:00',
    );
    expect(weekText([])).toBe('always open');
  });

  test('of a day are copied to others in place of theirs, and a closed day closes them', () => {
    expect(copyDay([on(1), on(2, '10:00'), on(3)], 1, [1, 2, 6])).toEqual([on(1), on(2), on(3), on(6)]);
    expect(copyDay([on(1), on(2)], 3, [2])).toEqual([on(1)]);
  });

  test('get a usual opening on a closed day, and a later one on an open one', () => {
    expect(withOpening([on(2)], 1)).toEqual([on(1, '09:00'), on(2)]);
    expect(withOpening([on(1, '08:00', '12:00')], 1).at(-1)).toEqual(on(1, '13:00', '16:00'));
  });

  test('say which end on the next day and which overlap', () => {
    expect(noteOf([on(7, '18:00', '02:00')], 0)).toBe('Until Monday.');
    expect(noteOf([on(1, '08:00', '08:00')], 0)).toBe('Open for 24 hours.');
    expect(noteOf([on(1), on(1, '16:00', '20:00')], 1)).toBe('Overlaps the hours before.');
    expect(noteOf([on(1), on(1, '17:00', '20:00')], 1)).toBeNull();
  });
});

describe('a closure', () => {
  const zone = 'Europe/London';
  test('of whole days goes from midnight to midnight at the store, over a change of the clocks too', () => {
    const closed = { from: '2026-03-28', to: '2026-03-29', opens: null };
    const closure = closureOf(closed, zone);
    expect(closure).toEqual({ starts_at: '2026-03-28T00:00:00.000Z', ends_at: '2026-03-29T23:00:00.000Z' });
    expect(daysOf(closure, zone)).toEqual(closed);
    expect(closureText(closure, zone)).toBe('Sat, 28 Mar 2026 to Sun, 29 Mar 2026');
  });

  test('of some hours keeps its times', () => {
    const closed = { from: '2026-06-05', to: '2026-06-05', opens: { starts: '12:00', ends: '15:30' } };
    expect(closureOf(closed, zone)).toEqual({ starts_at: '2026-06-05T11:00:00.000Z', ends_at: '2026-06-05T14:30:00.000Z' });
    expect(daysOf(closureOf(closed, zone), zone)).toEqual(closed);
    expect(closureText(closureOf(closed, zone), zone)).toBe('Fri, 5 Jun 2026, 12:00–15:30');
  });

  test('that has ended is dropped', () => {
    const closure = closureOf({ from: '2026-06-05', to: '2026-06-05', opens: null }, zone);
    expect(withoutEnded([closure], Date.parse('2026-06-05T12:00:00Z'))).toEqual([closure]);
    expect(withoutEnded([closure], Date.parse('2026-06-06T12:00:00Z'))).toEqual([]);
  });
});

describe('public holidays', () => {
  test('are those of the year ahead, kept on a weekday in England', () => {
    expect(holidaysFrom('2026-11-25', 'Europe/London')).toEqual([
      { name: 'Christmas Day', date: '2026-12-25' },
      { name: 'Boxing Day', date: '2026-12-28' },
      { name: 'New Year’s Day', date: '2027-01-01' },
      { name: 'Good Friday', date: '2027-03-26' },
      { name: 'Easter Monday', date: '2027-03-29' },
      { name: 'Early May bank holiday', date: '2027-05-03' },
      { name: 'Spring bank holiday', date: '2027-05-31' },
      { name: 'Summer bank holiday', date: '2027-08-30' },
    ]);
    const christmas = holidaysFrom('2027-12-01', 'Europe/London').slice(0, 2);
    expect(christmas.map(({ date }) => date)).toEqual(['2027-12-27', '2027-12-28']);
  });

  test('are the eleven of France there, and none where the calendar is not known', () => {
    const french = holidaysFrom('2027-01-01', 'Europe/Paris');
    expect(french).toHaveLength(11);
    expect(french.find(({ name }) => name === 'Ascension')?.date).toBe('2027-05-06');
    expect(holidaysFrom('2027-01-01', 'Asia/Tokyo')).toEqual([]);
  });
});
