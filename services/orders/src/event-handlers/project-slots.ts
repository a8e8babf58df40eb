import { on } from '@corner/chassis';
import { directorySlots } from '@corner/contracts';
import { keepSlots } from '../tables/slots.ts';

/** Slots are kept as their newest snapshot has them; places that are used stay used. */
export const projectSlots = on(directorySlots, ({ data }, tx) => keepSlots(tx, data));
