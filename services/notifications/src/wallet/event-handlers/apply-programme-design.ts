import { on } from '@corner/chassis';
import { directoryProgramme } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { upsertProgrammeDesign } from '../tables/designs.ts';
import { raiseForChanges } from '../transactions/raise-for-changes.ts';

/** Shows a programme’s newest goal and reward on the store’s stamp cards. */
export const applyProgrammeDesign = on(directoryProgramme, async ({ data }, tx, { passSignal }: Context) =>
  raiseForChanges(tx, await upsertProgrammeDesign(tx, data), passSignal),
);
