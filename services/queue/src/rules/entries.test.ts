import { queueStatuses } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { entryView, isOwnEntry, queuePosition, staffEntryView } from './entry-view.ts';
import { liveQueue } from './live-queue.ts';
import { checkMove, isActive, type Move, moves, placeToKeep, type Status } from './moves.ts';
import { overdueEntries } from './overdue-entries.ts';

test('a move is allowed from its listed statuses, already made in its target status, and refused from every other status', () => {
  for (const [name, { from, to }] of Object.entries(moves)) {
    for (const status of queueStatuses) {
      const expected = (from as readonly string[]).includes(status) ? 'allowed' : status === to ? 'already-made' : 'refused';
      expect([name, status, checkMove(status, name as Move)]).toEqual([name, status, expected]);
    }
  }
});

test('no move leads out of a status in which the entry has ended', () => {
  const ended = queueStatuses.filter((status) => !isActive(status));
  expect(ended).toEqual(['completed', 'left', 'no_show', 'converted_to_appointment']);
  for (const status of ended) expect((Object.keys(moves) as Move[]).filter((move) => checkMove(status, move) === 'allowed')).toEqual([]);
});

describe('overdue entries:', () => {
  const hours = [{ day: 5, opens: '09:00', closes: '17:00' }];

  const at = (time: string) => Date.parse(`2026-05-01T${time}Z`);

  const waiting = (id: string, joined_at = '2026-05-01T10:00:00Z') => ({ id, status: 'waiting' as const, joined_at, hold_until: null });

  const called = (id: string, hold_until: string) => ({ id, status: 'called' as const, joined_at: '2026-05-01T09:30:00Z', hold_until });

  const seated = (id: string) => ({ id, status: 'assigned' as const, joined_at: '2026-05-01T09:00:00Z', hold_until: null });

  const overdue = (
    entries: readonly (ReturnType<typeof waiting> | ReturnType<typeof called> | ReturnType<typeof seated>)[],
    now: number,
    more = {},
  ) => overdueEntries({ entries, abandonedIds: [], hours, timeZone: 'UTC', ...more }, now).map(({ entry, move }) => `${entry.id} ${move}`);

  test('a call lapses at the instant its hold ends and not before', () => {
    const entries = [called('a', '2026-05-01T11:05:00Z')];
    expect(overdue(entries, at('11:04:59'))).toEqual([]);
    expect(overdue(entries, at('11:05:00'))).toEqual(['a noShow']);
  });

  test('an entry that waits leaves 30 minutes after closing and not before', () => {
    expect(overdue([waiting('a')], at('17:29:59'))).toEqual([]);
    expect(overdue([waiting('a'), waiting('b')], at('17:30:00'))).toEqual(['a leave', 'b leave']);
  });

  test('an entry that joined on a day without an opening leaves at once', () => {
    expect(overdue([waiting('a', '2026-04-30T10:00:00Z'), waiting('b')], at('11:00:00'))).toEqual(['a leave']);
  });

  test('only an abandoned chair is completed', () => {
    expect(overdue([seated('a'), seated('b')], at('23:00:00'), { abandonedIds: ['b'] })).toEqual(['b complete']);
  });
});

describe('of two places of one person', () => {
  const early = '2026-05-01T11:00:00.000001Z';

  const late = '2026-05-01T11:00:00.000002Z';

  test.each([
    ['own', 'waiting', early, 'waiting', late],
    ['guest', 'waiting', late, 'waiting', early],
    ['guest', 'waiting', early, 'called', late],
    ['own', 'called', late, 'waiting', early],
    ['own', 'assigned', late, 'called', early],
    ['guest', 'called', early, 'assigned', late],
    ['both', 'assigned', early, 'assigned', late],
  ] as const)('%s stays when the own place is %s (%s) and the guest’s is %s (%s)', (kept, own, ownAt, guest, guestAt) => {
    expect(placeToKeep({ status: own, joined_at: ownAt }, { status: guest, joined_at: guestAt })).toBe(kept);
  });
});

describe('views:', () => {
  const now = Date.parse('2026-05-01T11:00:00Z');

  const entry = (id: string, status: Status = 'waiting') => ({
    id,
    customer_id: null,
    service_id: null,
    preferred_unit_id: null,
    party_size: 1,
    status,
    joined_at: '2026-05-01T10:00:00Z',
    hold_until: status === 'called' ? '2026-05-01T11:05:00Z' : null,
    customer_name: null,
    guest_phone: '+447700900003',
    address_hash: 'f00',
    ended_at: null,
    ended_from: null,
    reopened_at: null,
    by_id: 'bo',
    by_name: 'Bo',
    event_sequence: 1,
    quoted_wait_min: 30,
    quoted_spread: [-10, 5],
  });

  const queueOf = (entries: readonly ReturnType<typeof entry>[]) =>
    liveQueue(
      {
        hours: [],
        timeZone: 'UTC',
        walkIns: { accepted: true, closures: [], pausedUntil: null, switched: null },
        calledHoldMinutes: 5,
        services: [{ id: 'cut', name: 'Cut', minutes: 25, bufferMinutes: 5 }],
        chairs: [{ id: 'A', name: 'A', serviceIds: ['cut'], shifts: [{ from: now, to: now + 60 * 60_000 }], breaks: [] }],
        occupied: [],
        entries,
        abandonedIds: [],
        callerHash: null,
        chain: null,
      },
      now,
    );

  test('a waiting entry shows its position, wait, start and chair; a called entry counts for the wait but not for the position', () => {
    const [called, waiting] = [entry('a', 'called'), entry('b')];
    const queue = queueOf([called, waiting]);
    expect(entryView(waiting, queue)).toMatchObject({
      queue_position: 1,
      expected_wait_min: 30,
      expected_start: '2026-05-01T11:30:00.000Z',
      suggested_unit_id: 'A',
      wait_range: { from_min: 20, to_min: 35 },
    });
    expect(entryView(called, queue)).toMatchObject({ queue_position: null, expected_wait_min: null, suggested_unit_id: null });
  });

  test('a waiting entry that the day has no room for shows a position and no wait', () => {
    const entries = [entry('a'), entry('b'), entry('c')];
    expect(entryView(entry('c'), queueOf(entries))).toMatchObject({ queue_position: 3, expected_wait_min: null, expected_start: null });
  });

  test('only staff see the guest’s phone number and the hold, and the internal id is shown to no one', () => {
    const called = entry('a', 'called');
    const queue = queueOf([called]);
    for (const hidden of [
      'id',
      'guest_phone',
      'hold_until',
      'ended_at',
      'ended_from',
      'reopened_at',
      'by_id',
      'by_name',
      'event_sequence',
      'address_hash',
    ])
      expect(entryView(called, queue)).not.toHaveProperty(hidden);
    expect(staffEntryView(called, queue)).toMatchObject({
      guest_phone: '+447700900003',
      hold_until: '2026-05-01T11:05:00Z',
      by: { id: 'bo', name: 'Bo' },
    });
    expect(staffEntryView(called, queue)).not.toHaveProperty('id');
  });

  test('an entry that is not in the queue has no position', () => expect(queuePosition(queueOf([entry('a')]), entry('b'))).toBeNull());
});

describe('owners:', () => {
  const ana = { type: 'customer', id: 'ana' };

  const guest = { type: 'guest', id: '' };

  const staff = { type: 'staff', id: 'sam' };

  test('a customer owns the entries with their customer id, and no guest entry', () => {
    expect(isOwnEntry({ customer_id: 'ana' }, ana)).toBe(true);
    expect(isOwnEntry({ customer_id: 'bo' }, ana)).toBe(false);
    expect(isOwnEntry({ customer_id: null }, ana)).toBe(false);
  });

  test('a caller who is no customer owns the guest entry they name, and no customer’s entry', () => {
    for (const caller of [guest, staff]) {
      expect(isOwnEntry({ customer_id: null }, caller)).toBe(true);
      expect(isOwnEntry({ customer_id: 'ana' }, caller)).toBe(false);
    }
  });
});
