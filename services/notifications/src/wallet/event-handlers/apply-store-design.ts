import { on } from '@corner/chassis';
import { directoryStore } from '@corner/contracts';
import { upsertStoreDesign } from '../tables/designs.ts';

/** Shows a store’s newest name, logo and colours on its passes. */
export const applyStoreDesign = on(directoryStore, ({ data }, tx) => upsertStoreDesign(tx, data));
