import { reaction } from '@corner/chassis';
import { directoryStore } from '@corner/contracts';
import { keepStore } from '../tables/directory.ts';

/** A store is kept as its newest snapshot has it. */
export const projectStore = reaction(directoryStore, ({ data }, tx) => keepStore(tx, data));
