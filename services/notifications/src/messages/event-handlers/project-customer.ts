import { on } from '@corner/chassis';
import { directoryCustomer } from '@corner/contracts';
import { saveCustomer } from '../tables/customers.ts';

/** Stores where a customer can be reached, from the newest snapshot. */
export const projectCustomer = on(directoryCustomer, ({ data }, tx) => saveCustomer(tx, data));
