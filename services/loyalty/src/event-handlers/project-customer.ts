import { on } from '@corner/chassis';
import { directoryCustomer } from '@corner/contracts';
import { saveCustomer } from '../tables/directory.ts';

/** Saves the newest snapshot of a customer. */
export const projectCustomer = on(directoryCustomer, ({ data }, tx) => saveCustomer(tx, data));
