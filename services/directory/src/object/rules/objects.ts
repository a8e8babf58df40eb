import { type DirectoryObject, type ObjectKind, objectSchemas, Problem } from '@corner/contracts';
import { findFaults } from './faults.ts';
import { expandSlots, expandUnit, publishedUntil } from './templates.ts';

/** Returns an object that was never created, as a read returns it and the first change finds it; null for a kind that is created first. */
export function blankOf<K extends ObjectKind>(kind: K, id: string): DirectoryObject<K> | null {
  const blank = blanks[kind]?.(id);
  return blank === undefined ? null : (objectSchemas[kind].parse(blank) as DirectoryObject<K>);
}

const blanks: Partial<Record<ObjectKind, (id: string) => object>> = {
  menu: (store_id) => ({ store_id, items: [] }),
  slots: (store_id) => ({ store_id }),
  programme: (store_id) => ({ store_id, enabled: false }),
  floor: (store_id) => ({ store_id, services: [], units: [] }),
};

/** Parses an object whole, after a change of `before`. Throws VALIDATION_FAILED, which names the faulty fields, up to ten. */
export function parseObject<K extends ObjectKind>(kind: K, object: unknown, before: object | null): DirectoryObject<K> {
  const { data, faults } = findFaults(kind, object, { before });
  if (faults.length > 0) throw new Problem('VALIDATION_FAILED', { message: faults.slice(0, 10).join('; ') });
  return data as DirectoryObject<K>;
}

/**
 * `store`: that of slots and floors, whose zone and closures decide when their templates apply. `slotIdOf` returns the id of the slot that
 * a template makes for a start.
 */
export interface SnapshotContext {
  readonly store: Pick<DirectoryObject<'store'>, 'time_zone' | 'closures'> | null;
  readonly now: Date;
  readonly slotIdOf: (storeId: string, startsAt: string) => string;
}

/**
 * `data`: the event's data without its version. `publishedUntil`: the first day that is not published ahead; null for an object without a
 * template.
 */
export interface Snapshot {
  readonly data: object;
  readonly publishedUntil: string | null;
}

/** Returns an object as other services see it: a template as the slots or shifts that it makes for the days ahead. */
export function snapshotOf(kind: ObjectKind, object: DirectoryObject, { store, now, slotIdOf }: SnapshotContext): Snapshot {
  if (kind === 'slots' && store) {
    const { template, ...kept } = object as DirectoryObject<'slots'>;
    const slots = expandSlots({ ...kept, template }, store, now, (startsAt) => slotIdOf(kept.store_id, startsAt));
    return { data: { ...kept, slots }, publishedUntil: template.length > 0 ? publishedUntil(store.time_zone, now) : null };
  }
  if (kind === 'floor' && store) {
    const floor = object as DirectoryObject<'floor'>;
    const weekly = floor.units.some(({ weekly_shifts, weekly_breaks }) => weekly_shifts.length + weekly_breaks.length > 0);
    const units = floor.units.map((unit) => expandUnit(unit, store, now));
    return { data: { ...floor, units }, publishedUntil: weekly ? publishedUntil(store.time_zone, now) : null };
  }
  return { data: object, publishedUntil: null };
}
