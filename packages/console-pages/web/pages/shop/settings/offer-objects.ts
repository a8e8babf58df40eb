import type * as contracts from '@corner/contracts';
import { programmeSettings } from '@corner/contracts/settings';
import type { z } from 'zod';
import { manages } from '../../../logic/roles.ts';
import { useStore } from '../../../shell/context.ts';
import { useRead } from '../../../shell/queries.ts';
import {
  changedFields,
  type DirectoryStore,
  directoryPath,
  labelsOf,
  listChanges,
  type ObjectOf,
  storeObject,
} from './directory-objects.ts';

type Replies = typeof contracts.directory;
export type Menu = z.output<Replies['readDirectoryMenu']['reply']>['menu'];
export type MenuItem = Menu['items'][number];
export type Promo = Menu['promos'][number];
export type Slots = z.output<Replies['readSlots']['reply']>['slots'];
export type Programme = z.output<Replies['readProgramme']['reply']>['programme'];
export type Floor = z.output<Replies['readFloor']['reply']>['floor'];

const present = (fields: Readonly<Record<string, object | null>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && Object.keys(value).length > 0));

export const menuObject: ObjectOf<Menu> = {
  kind: 'menu',
  title: 'Menu',
  path: (storeId) => directoryPath(storeId, '/menu'),
  changes(saved, draft) {
    const items = listChanges(saved.items, draft.items, 'id');
    const promos = listChanges(saved.promos, draft.promos, 'id');
    return present({
      items: items.upsert,
      remove: items.remove,
      order: items.order,
      promos: promos.upsert,
      remove_promos: promos.remove,
    });
  },
  labels: {
    items: 'Items',
    promos: 'Promo codes',
    price_pence: 'Price',
    vat_rate_bps: 'VAT',
    prep_minutes: 'Minutes to make',
    make_minutes: 'Minutes of work',
    stock: 'Stock',
    available: 'On the menu',
    category: 'Part of the menu',
    description: 'Description',
    image_url: 'Picture',
    allergens: 'Allergens',
    diet: 'Fit for',
    options: 'Options',
    min_subtotal_pence: 'Least subtotal',
    starts_at: 'From',
    ends_at: 'Until',
  },
};

export const slotsObject: ObjectOf<Slots> = {
  kind: 'slots',
  title: 'Slots',
  path: (storeId) => directoryPath(storeId, '/slots'),
  changes(saved, draft) {
    const { slots: _, ...fields } = changedFields(saved, draft);
    const { upsert, remove } = listChanges(saved.slots, draft.slots, 'id');
    return { ...fields, ...present({ slots: upsert, remove }) };
  },
  labels: { template: 'Slots of a week', slots: 'Slots with a date', every_minutes: 'Length', capacity: 'Orders in each', open: 'Open' },
};

export const programmeObject: ObjectOf<Programme> = {
  kind: 'programme',
  title: 'Loyalty card',
  path: (storeId) => directoryPath(storeId, '/programme'),
  changes(saved, draft) {
    const { tags: _, multi_stamp, ...fields } = changedFields(saved, draft);
    const { upsert, remove } = listChanges(saved.tags, draft.tags, 'uid');
    const several = multi_stamp ? changedFields(saved.multi_stamp, multi_stamp) : {};
    return { ...fields, ...present({ multi_stamp: several, tags: upsert, remove_tags: remove }) };
  },
  settings: programmeSettings,
  labels: labelsOf(programmeSettings),
};

export const floorObject: ObjectOf<Floor> = {
  kind: 'floor',
  title: 'Floor',
  path: (storeId) => directoryPath(storeId, '/floor'),
  changes(saved, draft) {
    const services = listChanges(saved.services, draft.services, 'id');
    const units = listChanges(saved.units, draft.units, 'id');
    const isOrdered = services.order !== null || units.order !== null;
    return present({
      services: services.upsert,
      remove_services: services.remove,
      units: units.upsert,
      remove_units: units.remove,
      order: isOrdered ? [...draft.services, ...draft.units].map(({ id }) => id) : null,
    });
  },
  labels: {
    services: 'Services',
    units: 'Chairs',
    buffer_minutes: 'Minutes between',
    service_ids: 'Services',
    weekly_shifts: 'Shifts of a week',
    weekly_breaks: 'Breaks of a week',
    shifts: 'Shifts with a date',
    breaks: 'Breaks with a date',
  },
};

/** Empty until they are read. */
export function useMenuItems(): readonly MenuItem[] {
  const { id } = useStore();
  return (
    useRead<{ readonly menu: Menu }>(menuObject.path(id), { readAgainFor: { types: ['menu'], subjects: [id] } }).data?.menu.items ?? []
  );
}

/** The items to choose one of; the chosen one also when it is gone. */
export function itemChoices(items: readonly MenuItem[], chosen: string | null): [id: string, name: string][] {
  const gone = chosen !== null && !items.some(({ id }) => id === chosen);
  return [
    ...(gone ? [[chosen, 'An item that is gone'] as [string, string]] : []),
    ...items.map(({ id, name }): [string, string] => [id, name]),
  ];
}

/** Undefined until they are read, and for staff, who may not read them. */
export function useSavedStore(): DirectoryStore | undefined {
  const { id, role } = useStore();
  return useRead<{ readonly store: DirectoryStore }>(manages(role) ? storeObject.path(id) : null, {
    readAgainFor: { types: ['store'], subjects: [id] },
  }).data?.store;
}
