import { on } from '@corner/chassis';
import { directoryStore } from '@corner/contracts';
import { upsertStore } from '../tables/stores.ts';

/** Stores a store's name, time zone and currency, from the newest snapshot. */
export const projectStore = on(directoryStore, ({ data }, tx) => upsertStore(tx, data));
