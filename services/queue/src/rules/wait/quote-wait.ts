import { Problem } from '@corner/contracts';
import type { Floor, Party } from './floor.ts';
import { minutesUntil, seatParties, serviceOf } from './seat-parties.ts';

/**
 * Returns the wait, in minutes, of a party that joins behind all of `ahead`. Throws SERVICE_NOT_FOUND and UNIT_NOT_FOUND when the store
 * does not have the requested service or chair, and NO_CAPACITY_TODAY when the day has no room left.
 */
export function quoteWait(floor: Floor, ahead: readonly Party[], party: Party): number {
  if (party.serviceId !== null && !serviceOf(floor, party.serviceId)) throw new Problem('SERVICE_NOT_FOUND');
  if (party.chairId !== null && !floor.chairs.some(({ id }) => id === party.chairId)) throw new Problem('UNIT_NOT_FOUND');
  const first = seatParties(floor, [...ahead, party]).at(-1)?.[0];
  if (!first) throw new Problem('NO_CAPACITY_TODAY');
  return minutesUntil(floor.now, first.from);
}
