import { on } from '@corner/chassis';
import { directoryStore } from '@corner/contracts';
import { saveStore } from '../tables/stores.ts';

/** Stores a store's name, time zone and currency, from the newest snapshot. */
export const projectStore = on(directoryStore, ({ data }, tx) => saveStore(tx, data));
