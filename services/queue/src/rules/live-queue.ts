import { closingTime, type Opening } from '@corner/contracts/opening-hours';
import { countedEntries, type Joiner, type LinedUp } from './counted.ts';
import type { Status } from './moves.ts';
import { type OverdueEntry, overdueEntries } from './overdue-entries.ts';
import { type Chair, type Floor, type Occupied, partyOf, type Service } from './wait/floor.ts';
import { type Seat, seatParties } from './wait/seat-parties.ts';
import { switchedOffAt, type WalkInSettings, type WalkInSwitch, type WalkIns, walkInsAt } from './walk-ins.ts';

/** `now` is the moment that `snapshot` was read for, in epoch milliseconds. */
export function liveQueue<E extends QueuedEntry>(snapshot: QueueSnapshot<E>, now: number): LiveQueue<E> {
  const { entries, hours, timeZone, services, chairs, occupied, walkIns, calledHoldMinutes } = snapshot;
  const { closures } = walkIns;
  const floor = { now, closesAt: closingTime(hours, timeZone, now) ?? now, services, chairs, occupied, closures };
  const inLine = entries.filter(({ status }) => status !== 'assigned');
  const counted = new Set(countedEntries(entries).map(({ id }) => id));
  return {
    walkIns: walkInsAt(walkIns, now),
    switchedOff: switchedOffAt(walkIns, now),
    hours,
    timeZone,
    calledHoldMinutes,
    floor,
    entries,
    overdue: overdueEntries(snapshot, now),
    counted,
    callerHash: snapshot.callerHash,
    chain: snapshot.chain,
    seats: seatsOf(floor, inLine, counted),
  };
}

/** Plans the seats of all in line. A counted party without room in the day gets its seats from a plan of the counted ones alone. */
function seatsOf(floor: Floor, inLine: readonly LinedUp[], counted: ReadonlySet<string>): ReadonlyMap<string, readonly Seat[] | null> {
  const all = planOf(floor, inLine);
  const short = inLine.filter(({ id }) => counted.has(id) && all.get(id) === null);
  const countedInLine = inLine.filter(({ id }) => counted.has(id));
  if (short.length === 0 || countedInLine.length === inLine.length) return all;
  const plan = planOf(floor, countedInLine);
  return new Map([...all, ...short.map(({ id }) => [id, plan.get(id) ?? null] as const)]);
}

function planOf(floor: Floor, inLine: readonly LinedUp[]): ReadonlyMap<string, readonly Seat[] | null> {
  const seats = seatParties(floor, inLine.map(partyOf));
  return new Map(inLine.map(({ id }, index) => [id, seats[index] ?? null]));
}

/** Instants are ISO 8601. */
export interface QueuedEntry extends Joiner {
  readonly id: string;
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
  readonly abandonedIds: readonly string[];
  readonly callerHash: string | null;
  readonly chain: ChainHead | null;
}

export interface ChainHead {
  readonly number: number;
  readonly hash: string;
}

export interface LiveQueue<E extends QueuedEntry = QueuedEntry> {
  readonly walkIns: WalkIns;
  readonly switchedOff: WalkInSwitch | null;
  readonly hours: readonly Opening[];
  readonly timeZone: string;
  readonly calledHoldMinutes: number;
  readonly floor: Floor;
  readonly entries: readonly E[];
  readonly overdue: readonly OverdueEntry<E>[];
  readonly counted: ReadonlySet<string>;
  readonly callerHash: string | null;
  readonly chain: ChainHead | null;
  /** By entry id, the seats that each called or waiting party would get; null when the day has no room left for it. */
  readonly seats: ReadonlyMap<string, readonly Seat[] | null>;
}
