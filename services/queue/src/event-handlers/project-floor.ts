import { on } from '@corner/chassis';
import { directoryFloor } from '@corner/contracts';
import { keepFloor } from '../tables/floors.ts';

/** A store’s chairs, shifts and services are kept as the newest snapshot has them. */
export const projectFloor = on(directoryFloor, ({ data }, tx) => keepFloor(tx, data));
