import { on } from '@corner/chassis';
import { directoryProgramme } from '@corner/contracts';
import { monthlyQuota } from '../rules/card.ts';
import { saveProgramme } from '../tables/directory.ts';

/** Saves the newest snapshot of a programme. A changed goal applies from the next stamp on. */
export const projectProgramme = on(directoryProgramme, ({ data }, tx) =>
  saveProgramme(tx, data, monthlyQuota(data.plan_key, data.monthly_stamp_quota)),
);
