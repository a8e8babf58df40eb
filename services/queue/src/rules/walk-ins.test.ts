import { endOfDay } from '@corner/contracts/opening-hours';
import { describe, expect, test } from '@jest/globals';
import { logKindOf, logTitle } from './log.ts';
import { timeAtStore, type WalkInSettings, walkInsAt, walkInsRefusal } from './walk-ins.ts';

const at = (time: string) => Date.parse(`2026-05-01T${time}:00Z`);
const cy = { id: 'cy', name: 'Cy' };
const settings = (more: Partial<WalkInSettings> = {}): WalkInSettings => ({
  accepted: true,
  closures: [],
  pausedUntil: null,
  switched: null,
  ...more,
});
const off = (until: string | null) => ({ open: false, until: until === null ? null : at(until), by: cy });

describe('whether walk-ins can join', () => {
  test.each([
    ['nothing keeps them out', settings(), null, null],
    ['the store’s settings take none, whatever else is so', settings({ accepted: false, switched: off('12:00') }), 'store', null],
    ['staff switched them off until later', settings({ switched: off('12:00') }), 'switch', '12:00'],
    ['staff switched them off for as long as it takes', settings({ switched: off(null), pausedUntil: at('12:00') }), 'switch', null],
    ['the switch has ended', settings({ switched: off('11:00') }), null, null],
    ['staff switched them on again', settings({ switched: { ...off(null), open: true } }), null, null],
    ['the store is paused', settings({ pausedUntil: at('11:01') }), 'pause', '11:01'],
    ['the pause has ended', settings({ pausedUntil: at('11:00') }), null, null],
    ['a closure has begun', settings({ closures: [{ from: at('11:00'), to: at('13:00') }] }), 'closure', '13:00'],
    ['a closure has ended', settings({ closures: [{ from: at('10:00'), to: at('11:00') }] }), null, null],
    ['the longest of several reasons counts', settings({ pausedUntil: at('11:30'), switched: off('12:00') }), 'switch', '12:00'],
  ] as const)('at eleven when %s', (_, given, reason, until) => {
    const walkIns = walkInsAt(given, at('11:00'));
    expect([walkIns.open, walkIns.reason, walkIns.until]).toEqual([reason === null, reason, until === null ? null : at(until)]);
    expect(walkIns.by).toEqual(reason === 'switch' ? cy : null);
  });

  test('a closure that begins before the switch ends moves the time at which they can join again', () => {
    const given = settings({
      switched: off('12:00'),
      closures: [
        { from: at('11:30'), to: at('13:00') },
        { from: at('13:00'), to: at('14:00') },
      ],
    });
    expect(walkInsAt(given, at('11:00'))).toEqual({ open: false, reason: 'switch', until: at('14:00'), by: cy });
  });

  test('the refusal names the day and the time at the store, and not who switched', () => {
    const sentence = (given: WalkInSettings) => walkInsRefusal(walkInsAt(given, at('11:00')), 'Europe/London');
    expect(sentence(settings({ switched: off('16:05') }))).toBe('The store takes no walk-ins until Friday 1 May at 17:05.');
    expect(sentence(settings({ switched: off(null) }))).toBe('The store takes no walk-ins at the moment.');
    expect(sentence(settings({ closures: [{ from: at('10:00'), to: at('23:30') }] }))).toBe(
      'The store is closed until Saturday 2 May at 00:30.',
    );
  });
});

test('the store’s day ends at its closing time, and at local midnight when that is past or the store does not open', () => {
  const hours = [{ day: 5, opens: '09:00', closes: '17:00' }];
  const end = (of: typeof hours, time: string) => timeAtStore(endOfDay(of, 'Europe/London', at(time)), 'Europe/London');
  expect(end(hours, '11:00')).toBe('Friday 1 May at 17:00');
  expect(end(hours, '16:00')).toBe('Saturday 2 May at 00:00');
  expect(end([{ day: 1, opens: '09:00', closes: '17:00' }], '11:00')).toBe('Saturday 2 May at 00:00');
});

describe('the log', () => {
  const row = { by_id: null, customer_id: null, customer_name: null, guest_name: 'Dee', until: null };

  test('says what time ended otherwise than what staff did', () => {
    const moves = (['noShow', 'complete', 'leave'] as const).map((move) => [
      logKindOf(move, cy, 'owner'),
      logKindOf(move, null, 'closing'),
    ]);
    expect(moves).toEqual([
      ['no_show', 'call_lapsed'],
      ['completed', 'abandoned'],
      ['left', 'closed'],
    ]);
    expect(logKindOf('leave', cy, null)).toBe('cleared');
  });

  test('names a guest while the name is known, and a customer whom the directory names', () => {
    expect(logTitle({ ...row, kind: 'called' }, 'UTC')).toBe('Dee was called');
    expect(logTitle({ ...row, kind: 'recalled', guest_name: null }, 'UTC')).toBe('The call of a guest was taken back');
    expect(logTitle({ ...row, kind: 'recalled', guest_name: 'Guest' }, 'UTC')).toBe('The call of a guest was taken back');
    expect(logTitle({ ...row, kind: 'completed', customer_id: 'c' }, 'UTC')).toBe('A customer was served');
    expect(logTitle({ ...row, kind: 'completed', customer_id: 'c', customer_name: 'Ana' }, 'UTC')).toBe('Ana was served');
  });

  test('says who joined and who was added, and until when walk-ins are off', () => {
    expect(logTitle({ ...row, kind: 'joined' }, 'UTC')).toBe('Dee joined the queue');
    expect(logTitle({ ...row, kind: 'joined', by_id: 'cy' }, 'UTC')).toBe('Dee was added to the queue');
    expect(logTitle({ ...row, kind: 'walk_ins_off', until: at('16:00') }, 'Europe/London')).toBe(
      'Walk-ins were switched off until Friday 1 May at 17:00',
    );
  });
});
