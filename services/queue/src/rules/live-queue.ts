import { closingTime, type Opening } from '@corner/contracts/opening-hours';
import type { Status } from './moves.ts';
import { type OverdueEntry, overdueEntries } from './overdue-entries.ts';
import type { Chair, Floor, Occupied, Party, Service } from './wait/floor.ts';
import { type Seat, seatParties } from './wait/seat-parties.ts';
import { switchedOffAt, type WalkInSettings, type WalkInSwitch, type WalkIns, walkInsAt } from './walk-ins.ts';

/** Works out a store's queue from what is stored of it. `now` is the moment `snapshot` was read for, in epoch milliseconds. */
export function liveQueue<E extends QueuedEntry>(snapshot: QueueSnapshot<E>, now: number): LiveQueue<E> {
  const { entries, hours, timeZone, services, chairs, occupied, walkIns, calledHoldMinutes } = snapshot;
  const { closures } = walkIns;
  const floor = { now, closesAt: closingTime(hours, timeZone, now) ?? now, services, chairs, occupied, closures };
  const inLine = entries.filter(({ status }) => status !== 'assigned');
  const seats = seatParties(floor, inLine.map(partyOf));
  return {
    walkIns: walkInsAt(walkIns, now),
    switchedOff: switchedOffAt(walkIns, now),
    hours,
    timeZone,
    calledHoldMinutes,
    floor,
    entries,
    overdue: overdueEntries(snapshot, now),
    seats: new Map(inLine.map(({ id }, index) => [id, seats[index] ?? null])),
  };
}

export const partyOf = (entry: Pick<QueuedEntry, 'service_id' | 'preferred_unit_id' | 'party_size'>): Party => ({
  serviceId: entry.service_id,
  chairId: entry.preferred_unit_id,
  size: entry.party_size,
});

/** The part of an entry that the rules read. Instants are ISO 8601. */
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

export interface QueueSnapshot<E extends QueuedEntry> {
  readonly hours: readonly Opening[];
  readonly timeZone: string;
  readonly walkIns: WalkInSettings;
  readonly calledHoldMinutes: number;
  readonly services: readonly Service[];
  readonly chairs: readonly Chair[];
  readonly occupied: readonly Occupied[];
  /** The active entries: called, then waiting, each in the order of joining, then those in a chair. */
  readonly entries: readonly E[];
  /** Entries in a chair whose time ended long ago. */
  readonly abandonedIds: readonly string[];
}

export interface LiveQueue<E extends QueuedEntry = QueuedEntry> {
  readonly walkIns: WalkIns;
  /** The staff's switch that keeps walk-ins off; null when there is none. */
  readonly switchedOff: WalkInSwitch | null;
  readonly hours: readonly Opening[];
  readonly timeZone: string;
  readonly calledHoldMinutes: number;
  readonly floor: Floor;
  readonly entries: readonly E[];
  /** The entries whose time has ended, each with the move that ends it. */
  readonly overdue: readonly OverdueEntry<E>[];
  /** By entry id, the seats that each called or waiting party would get; null when the day has no room left for it. */
  readonly seats: ReadonlyMap<string, readonly Seat[] | null>;
}
