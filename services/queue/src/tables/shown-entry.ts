import { minutesUntil } from '../rules/wait/place-parties.ts';
import type { Entry } from './entries.ts';
import type { LiveQueue } from './live-queue.ts';

/** The place of somebody who waits, from 1. Those who are called have left the line. */
export function positionOf({ entries }: Pick<LiveQueue, 'entries'>, entry: Pick<Entry, 'id'>): number | null {
  const waiting = entries.filter(({ status }) => status === 'waiting').findIndex(({ id }) => id === entry.id);
  return waiting === -1 ? null : waiting + 1;
}

/** An entry as its owner sees it. What is derived is null unless they wait. */
export function shownEntry(entry: Entry, queue: LiveQueue | null) {
  const { id: _id, guest_phone: _phone, hold_until: _hold, ended_at: _ended, told: _told, ...kept } = entry;
  const first = queue && entry.status === 'waiting' ? queue.places.get(entry.id)?.[0] : undefined;
  return {
    ...kept,
    queue_position: queue && positionOf(queue, entry),
    expected_wait_min: queue && first ? minutesUntil(queue.floor.now, first.from) : null,
    expected_start: first ? new Date(first.from).toISOString() : null,
    suggested_unit_id: first?.chairId ?? null,
  };
}

/** An entry as the store sees it. */
export const shownToStore = (entry: Entry, queue: LiveQueue | null) => ({
  ...shownEntry(entry, queue),
  guest_phone: entry.guest_phone,
  hold_until: entry.hold_until,
});
