import { on } from '@corner/chassis';
import { directoryStaff } from '@corner/contracts';
import { keepStaff } from '../tables/directory.ts';

/** A member of staff is kept as their newest snapshot has them. */
export const projectStaff = on(directoryStaff, ({ data }, tx) => keepStaff(tx, data));
