import { on } from '@corner/chassis';
import { directoryStore } from '@corner/contracts';
import { keepStore } from '../transactions/keep-store.ts';

/** Keeps the newest snapshot of a store. */
export const projectStore = on(directoryStore, ({ data }, tx) => keepStore(tx, data));
