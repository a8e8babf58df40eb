import { on } from '@corner/chassis';
import { directoryProgramme } from '@corner/contracts';
import { upsertProgrammeDesign } from '../tables/designs.ts';

/** Shows a programme’s newest goal and reward on the store’s stamp cards. */
export const applyProgrammeDesign = on(directoryProgramme, ({ data }, tx) => upsertProgrammeDesign(tx, data));
