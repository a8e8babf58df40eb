import { on } from '@corner/chassis';
import { directoryProgramme } from '@corner/contracts';
import { keepProgramme } from '../tables/directory.ts';

/** A programme is kept as its newest snapshot has it. */
export const projectProgramme = on(directoryProgramme, ({ data }, tx) => keepProgramme(tx, data));
