import { on } from '@corner/chassis';
import { directoryBooking, directoryFloor, directoryStore } from '@corner/contracts';
import { saveBooking, saveFloor, saveStore } from './tables/directory.ts';

/** Saves the newest snapshot of a store. */
export const projectStore = on(directoryStore, ({ data }, tx) => saveStore(tx, data));

/**
 * Saves the newest snapshot of a store's chairs, shifts and services. Ids are saved in lower case: inside JSON they are text to Postgres,
 * and must compare equal to the ids in uuid columns.
 */
export const projectFloor = on(directoryFloor, ({ data }, tx) =>
  saveFloor(tx, {
    ...data,
    services: data.services.map((service) => ({ ...service, id: service.id.toLowerCase() })),
    units: data.units.map((unit) => ({ ...unit, id: unit.id.toLowerCase(), service_ids: unit.service_ids.map((id) => id.toLowerCase()) })),
  }),
);

/** Saves the newest snapshot of a booking in the diary. */
export const projectBooking = on(directoryBooking, ({ data }, tx) => saveBooking(tx, data));
