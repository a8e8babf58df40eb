import { type LiveQueue, partyOf } from './live-queue.ts';
import type { Party } from './wait/floor.ts';
import { minutesUntil, seatParties, startToTheMinute } from './wait/seat-parties.ts';
import { type Kept, keptView, waitRange } from './waits.ts';

/** Returns a store's queue as those see it who may join: with the wait of one person for each service and each chair, and how well waits were kept. */
export function storeView(storeId: string, { walkIns, entries, floor }: LiveQueue, kept: Kept) {
  const { by: _by, until, ...open } = walkIns;
  const ahead = entries.filter(({ status }) => status !== 'assigned').map(partyOf);
  const waitOf = (party: Party) => {
    const first = walkIns.open ? seatParties(floor, [...ahead, party]).at(-1)?.[0] : undefined;
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
    services: floor.services.map(({ id, name, minutes }) => ({
      ...{ id, name, minutes },
      ...waitOf({ serviceId: id, chairId: null, size: 1 }),
    })),
    chairs: floor.chairs.map(({ id, name, serviceIds }) => ({
      ...{ id, name, service_ids: [...serviceIds] },
      ...waitOf({ serviceId: floor.services.find((service) => serviceIds.includes(service.id))?.id ?? null, chairId: id, size: 1 }),
    })),
  };
}
