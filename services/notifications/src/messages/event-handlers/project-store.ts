import { on } from '@corner/chassis';
import { directoryStore } from '@corner/contracts';
import { keepStore } from '../tables/stores.ts';

/** A store’s name is kept as the newest snapshot has it. */
export const projectStore = on(directoryStore, ({ data }, tx) => keepStore(tx, data));
