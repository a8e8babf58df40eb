import { isConfirmed } from './counted.ts';
import type { LiveQueue, QueuedEntry } from './live-queue.ts';
import type { Status } from './moves.ts';
import type { Occupied } from './wait/floor.ts';
import { minutesUntil, startToTheMinute } from './wait/seat-parties.ts';
import { type Spread, waitRange } from './waits.ts';

/** Derived fields are null unless the entry waits. `queue` is null for an unknown store. */
export function entryView<E extends StoredEntry>(entry: E, queue: LiveQueue | null) {
  const {
    id,
    customer_name: _customer,
    guest_phone: _phone,
    hold_until: _hold,
    event_sequence: _sequence,
    quoted_spread: spread,
    address_hash: _address,
    ...rest
  } = entry;
  const { ended_at: _ended, ended_from: _from, reopened_at: _reopened, by_id: _by, by_name: _name, ...shown } = rest;
  const first = queue && entry.status === 'waiting' ? queue.seats.get(id)?.[0] : undefined;
  return {
    ...shown,
    wait_range: waitRange(entry.quoted_wait_min, spread),
    queue_position: queue && queuePosition(queue, entry),
    expected_wait_min: queue && first ? minutesUntil(queue.floor.now, first.from) : null,
    expected_start: first ? startToTheMinute(first) : null,
    suggested_unit_id: first?.chairId ?? null,
  };
}

export const staffEntryView = <E extends StoredEntry>(entry: E, queue: LiveQueue | null) => ({
  ...entryView(entry, queue),
  customer_name: entry.customer_name,
  guest_phone: entry.guest_phone,
  hold_until: entry.hold_until,
  confirmed: isConfirmed(entry),
  counted: queue?.counted.has(entry.id) ?? false,
  seats: seatsOf(entry, queue).map(({ chairId, from, to }) => ({ unit_id: chairId, starts_at: instant(from), ends_at: instant(to) })),
  by: entry.by_id === null ? null : { id: entry.by_id, name: entry.by_name },
});

const instant = (at: number): string => new Date(at).toISOString();

/** Returns the seats that a party has, or would get if everyone ahead came. */
function seatsOf({ id, status }: QueuedEntry, queue: LiveQueue | null): readonly Pick<Occupied, 'chairId' | 'from' | 'to'>[] {
  if (status === 'assigned') return queue?.floor.occupied.filter(({ entryId }) => entryId === id) ?? [];
  return queue?.seats.get(id) ?? [];
}

/** Counts from 1, without called entries; null for an entry that does not wait. */
export function queuePosition({ entries }: Pick<LiveQueue, 'entries'>, { id }: Pick<QueuedEntry, 'id'>): number | null {
  const index = entries.filter(({ status }) => status === 'waiting').findIndex((entry) => entry.id === id);
  return index === -1 ? null : index + 1;
}

/** A guest's entry belongs to any caller who names its id and is no customer: the id is a secret. */
export const isOwnEntry = (
  { customer_id }: { readonly customer_id: string | null },
  caller: { readonly type: string; readonly id: string },
): boolean => (caller.type === 'customer' ? customer_id === caller.id : customer_id === null);

interface StoredEntry extends QueuedEntry {
  readonly customer_name: string | null;
  readonly ended_at: string | null;
  readonly ended_from: Status | null;
  readonly reopened_at: string | null;
  readonly by_name: string | null;
  readonly event_sequence: number;
  readonly quoted_wait_min: number;
  readonly quoted_spread: Spread;
}
