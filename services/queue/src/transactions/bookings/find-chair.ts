import type { Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import type { LiveQueue } from '../../rules/live-queue.ts';
import { type BookableFloor, chairAt, isOffered, needOf } from '../../rules/times.ts';
import type { Occupied, Service } from '../../rules/wait/floor.ts';
import { type Diary, readDiary } from '../../tables/diary.ts';
import type { SessionTime } from '../../tables/sessions.ts';

export function serviceIn({ floor }: LiveQueue, serviceId: string): Service {
  const service = floor.services.find(({ id }) => id === serviceId);
  if (!service) throw new Problem('SERVICE_NOT_FOUND');
  return service;
}

export function checkUnit({ floor }: LiveQueue, unitId: string | null): void {
  if (unitId !== null && !floor.chairs.some(({ id }) => id === unitId)) throw new Problem('UNIT_NOT_FOUND');
}

/**
 * Returns a store's floor with the diary of a span. For customers, those who wait and count are served first; staff decide that themselves,
 * and book while the store is closed.
 */
export function floorOf(queue: LiveQueue, diary: Pick<Diary, 'occupied'>, forStaff: boolean): BookableFloor {
  const { floor, hours, timeZone } = queue;
  return {
    ...floor,
    hours,
    timeZone,
    closures: forStaff ? [] : floor.closures,
    occupied: forStaff ? diary.occupied : [...diary.occupied, ...lineOf(queue)],
  };
}

/** The chairs that those who wait would get. One who does not count when the day is full takes no time from a booking either. */
const lineOf = ({ seats, counted }: LiveQueue): readonly Occupied[] =>
  [...seats].flatMap(([id, planned]) => (counted.has(id) ? (planned ?? []).map((seat) => ({ ...seat, started: false, entryId: id })) : []));

/**
 * Returns the time of a chair for a service from an instant, under the queue's lock. Throws UNIT_NOT_FOUND, and TIME_NOT_FREE when no chair
 * is free, or customers may not begin then. `without` is a session that is about to move.
 */
export async function findChair(tx: Transaction, queue: LiveQueue, storeId: string, wanted: WantedTime): Promise<SessionTime> {
  const { service, from, unitId, preferred = null, without = null, forStaff, minutes = service.minutes } = wanted;
  checkUnit(queue, unitId);
  const taken = { ...service, minutes };
  const freeAt = from + needOf(taken);
  const diary = await readDiary(tx, storeId, { from: Math.min(from, queue.floor.now), to: freeAt }, without);
  if (!diary) throw new Problem('STORE_NOT_FOUND');
  const floor = floorOf(queue, diary, forStaff);
  if (!forStaff && !isOffered(floor, from)) throw new Problem('TIME_NOT_FREE');
  const chairId = chairAt(floor, taken, from, { chairId: unitId, preferred });
  if (chairId === null) throw new Problem('TIME_NOT_FREE');
  return { unitId: chairId, from, to: from + minutes * 60_000, freeAt };
}

interface WantedTime {
  readonly service: Service;
  /** Epoch milliseconds. */
  readonly from: number;
  /** The only chair that will do; null is any. */
  readonly unitId: string | null;
  readonly preferred?: string | null;
  readonly without?: string | null;
  readonly forStaff: boolean;
  readonly minutes?: number;
}
