import { on } from '@corner/chassis';
import { directorySlots } from '@corner/contracts';
import { saveSlots } from '../transactions/save-slots.ts';

/** Saves the newest snapshot of the slots of a store. Places that orders use stay used. */
export const projectSlots = on(directorySlots, ({ data }, tx) => saveSlots(tx, data));
