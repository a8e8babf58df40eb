import { on } from '@corner/chassis';
import { directoryStore } from '@corner/contracts';
import { saveStore } from '../transactions/save-store.ts';

/** Saves the newest snapshot of a store. */
export const projectStore = on(directoryStore, ({ data }, tx) => saveStore(tx, data));
