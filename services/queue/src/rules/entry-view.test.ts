import { expect, test } from '@jest/globals';
import { entryView, queuePosition, staffEntryView } from './entry-view.ts';
import { liveQueue } from './live-queue.ts';
import type { Status } from './moves.ts';

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
  guest_phone: '+447700900003',
  ended_at: null,
  event_sequence: 1,
});
const queueOf = (entries: readonly ReturnType<typeof entry>[]) =>
  liveQueue(
    {
      hours: [],
      timeZone: 'UTC',
      walkInsAccepted: true,
      calledHoldMinutes: 5,
      services: [{ id: 'cut', minutes: 25, bufferMinutes: 5 }],
      chairs: [{ id: 'A', serviceIds: ['cut'], shifts: [{ from: now, to: now + 60 * 60_000 }], breaks: [] }],
      occupied: [],
      entries,
      abandonedIds: [],
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
  for (const hidden of ['id', 'guest_phone', 'hold_until', 'ended_at', 'event_sequence'])
    expect(entryView(called, queue)).not.toHaveProperty(hidden);
  expect(staffEntryView(called, queue)).toMatchObject({ guest_phone: '+447700900003', hold_until: '2026-05-01T11:05:00Z' });
  expect(staffEntryView(called, queue)).not.toHaveProperty('id');
});

test('an entry that is not in the queue has no position', () => expect(queuePosition(queueOf([entry('a')]), entry('b'))).toBeNull());
