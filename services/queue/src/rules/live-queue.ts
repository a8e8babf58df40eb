import { closingTime, type Opening } from './closing-time.ts';
import type { Status } from './moves.ts';
import { type OverdueEntry, overdueEntries } from './overdue-entries.ts';
import type { Chair, Floor, Occupied, Party, Service } from './wait/floor.ts';
import { type Seat, seatParties } from './wait/seat-parties.ts';

/** Works out a store's queue from what is stored of it. `now` is the moment `snapshot` was read for, in epoch milliseconds. */
export function liveQueue<E extends QueuedEntry>(snapshot: QueueSnapshot<E>, now: number): LiveQueue<E> {
  const { entries, hours, timeZone, services, chairs, occupied, walkInsAccepted, calledHoldMinutes } = snapshot;
  const floor = { now, closesAt: closingTime(hours, timeZone, now) ?? now, services, chairs, occupied };
  const inLine = entries.filter(({ status }) => status !== 'assigned');
  const seats = seatParties(floor, inLine.map(partyOf));
  return {
    walkInsAccepted,
    calledHoldMinutes,
    floor,
    entries,
    overdue: overdueEntries(snapshot, now),
    seats: new Map(inLine.map(({ id }, index) => [id, seats[index] ?? null])),
  };
}

/** Returns what an entry needs a chair for. */
export const partyOf = (entry: Pick<QueuedEntry, 'service_id' | 'preferred_unit_id' | 'party_size'>): Party => ({
  serviceId: entry.service_id,
  chairId: entry.preferred_unit_id,
  size: entry.party_size,
});

/** What the rules read of an entry. Instants are ISO 8601. */
export interface QueuedEntry {
  readonly id: string;
  readonly customer_id: string | null;
  readonly service_id: string | null;
  readonly preferred_unit_id: string | null;
  readonly party_size: number;
  readonly status: Status;
  readonly joined_at: string;
  readonly hold_until: string | null;
}

/** What the database holds of a store's queue at one moment. */
export interface QueueSnapshot<E extends QueuedEntry> {
  readonly hours: readonly Opening[];
  readonly timeZone: string;
  readonly walkInsAccepted: boolean;
  readonly calledHoldMinutes: number;
  readonly services: readonly Service[];
  readonly chairs: readonly Chair[];
  readonly occupied: readonly Occupied[];
  /** The active entries: called, then waiting, each in the order of joining, then those in a chair. */
  readonly entries: readonly E[];
  /** Entries in a chair whose time ended long ago. */
  readonly abandonedIds: readonly string[];
}

/** A store's queue at one moment. */
export interface LiveQueue<E extends QueuedEntry = QueuedEntry> {
  readonly walkInsAccepted: boolean;
  readonly calledHoldMinutes: number;
  readonly floor: Floor;
  /** The active entries: called, then waiting, each in the order of joining, then those in a chair. */
  readonly entries: readonly E[];
  /** The entries whose time has ended, each with the move that ends it. */
  readonly overdue: readonly OverdueEntry<E>[];
  /** By entry id, the seats that each called or waiting party would get; null when the day has no room left for it. */
  readonly seats: ReadonlyMap<string, readonly Seat[] | null>;
}
