import { type Joiner, partiesAhead } from './counted.ts';
import type { LiveQueue } from './live-queue.ts';
import type { Party } from './wait/floor.ts';
import { firstSeat, minutesUntil, startToTheMinute } from './wait/seat-parties.ts';
import { type Kept, keptView, waitRange } from './waits.ts';

export function storeView(storeId: string, { walkIns, entries, floor }: LiveQueue, joiner: Joiner, kept: Kept) {
  const { by: _by, until, ...open } = walkIns;
  const ahead = partiesAhead(entries, joiner);
  const waitOf = (party: Party) => {
    const first = walkIns.open ? firstSeat(floor, ahead, party) : undefined;
    const wait = first ? minutesUntil(floor.now, first.from) : null;
    return {
      wait_min: wait,
      wait_range: waitRange(wait, kept.spread),
      next_start: first ? startToTheMinute(first) : null,
    };
  };
  return {
    store_id: storeId,
    walk_ins: { ...open, until: until === null ? null : new Date(until).toISOString() },
    ...keptView(kept),
    waiting: entries.filter(({ status }) => status === 'waiting').length,
    services: floor.services.map(({ id, name, minutes }) => ({ id, name, minutes, ...waitOf({ serviceId: id, chairId: null, size: 1 }) })),
    chairs: floor.chairs.map(({ id, name, serviceIds }) => ({
      id,
      name,
      service_ids: [...serviceIds],
      ...waitOf({ serviceId: floor.services.find((service) => serviceIds.includes(service.id))?.id ?? null, chairId: id, size: 1 }),
    })),
  };
}
