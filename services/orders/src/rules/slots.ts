import { Problem } from '@corner/contracts';
import type { Part } from './basket.ts';

/** A collection slot as it is now. Instants as ISO 8601. */
export interface Slot {
  readonly id: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly capacity: number | null;
  readonly used: number;
  readonly open: boolean;
}

/** The slot a scheduled part means; null for one that has none. Throws the SLOT_ problems and VALIDATION_FAILED. */
export function slotOf({ collectionMode, slotId, collectAt }: Part, slots: readonly Slot[], at: Date): Slot | null {
  if (collectionMode !== 'scheduled') return null;
  const slot = slotId ? slots.find(({ id }) => id === slotId) : theOneAround(collectAt ?? '', slots);
  if (!slot) throw new Problem('SLOT_NOT_FOUND');
  if (slotId && collectAt && !within(collectAt, slot)) throw new Problem('SLOT_MISMATCH');
  refuseShut(slot, at);
  return slot;
}

/** Throws SLOT_CLOSED for a slot nobody can be put into any more, SLOT_JUST_FILLED for one without a place. */
export function refuseShut(slot: Slot, at: Date): void {
  if (!slot.open || Date.parse(slot.ends_at) <= at.getTime()) throw new Problem('SLOT_CLOSED');
  if (slot.capacity !== null && slot.used >= slot.capacity) throw new Problem('SLOT_JUST_FILLED');
}

function theOneAround(collectAt: string, slots: readonly Slot[]): Slot | undefined {
  const around = slots.filter((slot) => slot.open && within(collectAt, slot));
  if (around.length > 1) {
    throw new Problem('VALIDATION_FAILED', { message: 'requested_collection_at: lies in more than one slot; send slot_id.' });
  }
  return around[0];
}

const within = (time: string, slot: Slot): boolean =>
  Date.parse(slot.starts_at) <= Date.parse(time) && Date.parse(time) < Date.parse(slot.ends_at);
