import { on } from '@corner/chassis';
import { directorySlots } from '@corner/contracts';
import { keepSlots } from '../transactions/keep-slots.ts';

/** Keeps the newest snapshot of the slots of a store. Places that orders use stay used. */
export const projectSlots = on(directorySlots, ({ data }, tx) => keepSlots(tx, data));
