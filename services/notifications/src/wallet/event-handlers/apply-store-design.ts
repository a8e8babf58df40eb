import { on } from '@corner/chassis';
import { directoryStore } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { upsertStoreDesign } from '../tables/designs.ts';
import { raiseForChanges } from '../transactions/raise-for-changes.ts';

/** Shows a store’s newest name, logo and colours on its passes. */
export const applyStoreDesign = on(directoryStore, async ({ data }, tx, { passSignal }: Context) =>
  raiseForChanges(tx, await upsertStoreDesign(tx, data), passSignal),
);
