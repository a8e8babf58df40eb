import { Problem } from '@corner/contracts';
import type { Floor, Party } from './floor.ts';
import { type Seat, seatParties } from './seat-parties.ts';

/**
 * Returns the seats of a party whose first member sits down now, on the chair the staff name (`unitId`), else on the one the party prefers,
 * else on any. Staff may seat a party after closing. Throws UNIT_NOT_FOUND when the store has no such chair, and NO_CAPACITY_TODAY when no
 * such chair is free for as long as the service takes.
 */
export function seatsFromNow(floor: Floor, party: Party, unitId: string | null): readonly Seat[] {
  if (unitId !== null && !floor.chairs.some(({ id }) => id === unitId)) throw new Problem('UNIT_NOT_FOUND');
  const open = { ...floor, closesAt: Number.POSITIVE_INFINITY };
  const [first] = seatParties(open, [{ ...party, size: 1, chairId: unitId ?? party.chairId }])[0] ?? [];
  if (!first || first.from > floor.now) throw new Problem('NO_CAPACITY_TODAY', { message: 'No chair for this is free from now.' });
  if (party.size === 1) return [first];
  // The staff's choice of chair holds for the first member alone.
  const rest = { ...party, size: party.size - 1, chairId: unitId === null ? party.chairId : null };
  const [others] = seatParties({ ...open, occupied: [...floor.occupied, { ...first, started: false }] }, [rest]);
  if (!others) throw new Problem('NO_CAPACITY_TODAY', { message: 'No chair is left for the rest of the party.' });
  return [first, ...others];
}
