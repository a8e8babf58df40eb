import { on } from '@corner/chassis';
import { directoryCustomer } from '@corner/contracts';
import { keepCustomer } from '../tables/customers.ts';

/** Where a customer can be reached is kept as the newest snapshot has it. */
export const projectCustomer = on(directoryCustomer, ({ data }, tx) => keepCustomer(tx, data));
