import { on } from '@corner/chassis';
import { directoryProgramme, directoryStore } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { keepProgrammeDesign, keepStoreDesign } from '../tables/designs.ts';

/** A store’s passes wear its name and colours. */
export const wearStore = on(directoryStore, async ({ data }, tx, { now }: Context) => keepStoreDesign(tx, data, now()));

/** A store’s stamp cards name its goal and its reward. */
export const wearProgramme = on(directoryProgramme, async ({ data }, tx, { now }: Context) => keepProgrammeDesign(tx, data, now()));
