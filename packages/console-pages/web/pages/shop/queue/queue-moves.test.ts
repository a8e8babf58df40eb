import { expect, test } from '@jest/globals';
import type { Entry } from '../queue-operations.ts';
import {
  addingFault,
  allowedMoves,
  assignText,
  canComeBack,
  chairFor,
  clearText,
  doneText,
  partyName,
  queueByColumn,
  queueFigures,
  waitText,
  walkInsText,
  weekText,
} from './queue-moves.ts';

const entry = (fields: Partial<Entry>): Entry => ({
  entry_id: 'e',
  store_id: 's',
  customer_id: null,
  customer_name: null,
  guest_name: null,
  service_id: null,
  preferred_unit_id: null,
  party_size: 1,
  status: 'waiting',
  joined_at: '2026-05-01T12:00:00Z',
  called_at: null,
  quoted_wait_min: null,
  wait_range: null,
  appointment_id: null,
  queue_position: null,
  expected_wait_min: null,
  expected_start: null,
  suggested_unit_id: null,
  guest_phone: null,
  hold_until: null,
  confirmed: true,
  counted: true,
  by: null,
  seats: [],
  ...fields,
});

test('each status has the moves that the queue allows', () => {
  const of = (status: Entry['status']) => allowedMoves({ status, confirmed: true }).map(({ move }) => move);
  expect(of('waiting')).toEqual(['call', 'assign', 'convert']);
  expect(of('called')).toEqual(['assign', 'no-show', 'recall', 'convert']);
  expect(of('assigned')).toEqual(['complete', 'no-show']);
  expect(of('completed')).toEqual([]);
  const unconfirmed = (status: Entry['status']) => allowedMoves({ status, confirmed: false }).map(({ move }) => move);
  expect(unconfirmed('waiting')).toEqual(['call', 'assign', 'convert', 'confirm']);
});

test('the button that gives a chair names the chair, as it was asked for or will be free first, and the party', () => {
  const chairs = [
    { id: 'c1', name: 'Chair 1' },
    { id: 'c2', name: 'Chair 2' },
  ];
  const text = (fields: Partial<Entry>) => assignText(chairFor(entry(fields), chairs), 'Hal', fields.party_size ?? 1);
  expect(text({ suggested_unit_id: 'c1' })).toBe('Assign Chair 1 to Hal');
  expect(text({ suggested_unit_id: 'c1', preferred_unit_id: 'c2' })).toBe('Assign Chair 2 to Hal');
  expect(text({ party_size: 3, suggested_unit_id: 'c1' })).toBe('Assign 3 chairs to Hal');
  expect(text({})).toBe('Assign a free chair to Hal');
  expect([doneText('Hal', 'assign', 'Chair 2'), doneText('Hal', 'assign')]).toEqual(['Hal has Chair 2.', 'Hal has a chair.']);
});

test('where the settings take no walk-ins, the refusal names the switch; in every other case staff can add one', () => {
  expect(addingFault({ reason: 'store' })).toBe(
    'The switch “Guests can join the queue” is off in Settings, Orders and queue, so no one can be added.',
  );
  for (const reason of [null, 'switch', 'pause', 'closure'] as const) expect(addingFault({ reason })).toBeNull();
});

test('those that wait stand by place, those that were called by the time they are held until', () => {
  const columns = queueByColumn([
    entry({ entry_id: 'second', queue_position: 2 }),
    entry({ entry_id: 'first', queue_position: 1 }),
    entry({ entry_id: 'later', status: 'called', hold_until: '2026-05-01T12:20:00Z' }),
    entry({ entry_id: 'sooner', status: 'called', hold_until: '2026-05-01T12:10:00Z' }),
    entry({ entry_id: 'chair', status: 'assigned' }),
  ]);
  expect(columns.waiting.map(({ entry_id }) => entry_id)).toEqual(['first', 'second']);
  expect(columns.called.map(({ entry_id }) => entry_id)).toEqual(['sooner', 'later']);
  expect(columns.assigned).toHaveLength(1);
});

test('figures count the people who wait, not the parties that were called', () => {
  const entries = [
    entry({ party_size: 3, expected_wait_min: 15 }),
    entry({ expected_wait_min: 40 }),
    entry({ status: 'called', party_size: 5 }),
  ];
  expect(queueFigures(entries)).toEqual({ people: 4, longest: 40 });
  expect(queueFigures([])).toEqual({ people: 0, longest: 0 });
});

test('the parties that clearing would end are counted, and there is nothing to clear without them', () => {
  expect(clearText([entry({}), entry({ confirmed: false })])).toBeNull();
  expect(clearText([entry({}), entry({ counted: false }), entry({ counted: false })])).toMatch(/^2 parties joined without an account, /);
});

test('a wait is said in words', () => {
  expect([waitText(0), waitText(30)]).toEqual(['no wait', 'about 30 min']);
});

test('a party has the name of the customer, or the one that the guest gave', () => {
  const parties = [{ guest_name: 'Dee' }, { customer_id: 'c', customer_name: 'Ana' }, { customer_id: 'c' }, {}];
  expect(parties.map((fields) => partyName(entry(fields)))).toEqual(['Dee', 'Ana', 'Customer', 'Guest']);
  expect(doneText('Dee', 'no-show')).toBe('Dee is marked as a no-show.');
});

test('the end of a party can be undone until the time that the log names', () => {
  const row = { id: '1', at: '2026-05-01T12:00:00Z', title: 'Dee was served', detail: null, by: null, entry_id: 'e', appointment_id: null };
  const log = [
    { ...row, id: '2', reopens_until: null },
    { ...row, reopens_until: '2026-05-01T12:10:00Z' },
  ];
  const at = (time: string) => canComeBack(log, Date.parse(`2026-05-01T${time}Z`)).map(({ id }) => id);
  expect([at('12:09:59'), at('12:10:00')]).toEqual([['1'], []]);
});

test('walk-ins that cannot join are said with their reason, its end, and who switched', () => {
  const timeOf = (instant: string) => instant.slice(11, 16);
  const said = (fields: object) => walkInsText({ open: false, until: '2026-05-01T18:00:00Z', reason: null, by: null, ...fields }, timeOf);
  expect([
    said({ open: true }),
    said({ reason: 'switch', by: { id: 'b', name: 'Bo' } }),
    said({ reason: 'switch', until: null }),
    said({ reason: 'pause' }),
    said({ reason: 'closure' }),
    said({ reason: 'store' }),
  ]).toEqual([
    'Walk-ins can join.',
    'Walk-ins are switched off until 18:00 by Bo.',
    'Walk-ins are switched off.',
    'The store is paused until 18:00, so no walk-in can join.',
    'The store is closed until 18:00, so no walk-in can join.',
    'No walk-in can join: the switch “Guests can join the queue” is off in Settings, Orders and queue.',
  ]);
});

test('a week says how many waits were kept, and how late chairs were offered', () => {
  const week = { week: '2026-04-27', quotes: 4, offered: 3, kept: 2, left: 1, late_median_min: -3, late_p90_min: 12 };
  expect([week, { ...week, quotes: 1, offered: 0, left: 0 }].map(weekText)).toEqual([
    '4 parties joined, 67 % kept, half were 3 min early at most, nine of ten 12 min late, 1 left before a chair was offered.',
    '1 party joined.',
  ]);
});
