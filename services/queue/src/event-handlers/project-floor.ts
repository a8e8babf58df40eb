import { on } from '@corner/chassis';
import { directoryFloor } from '@corner/contracts';
import { saveFloor } from '../transactions/save-floor.ts';

/** Saves the newest snapshot of a store's chairs, shifts and services. */
export const projectFloor = on(directoryFloor, ({ data }, tx) => saveFloor(tx, data));
