import { on } from '@corner/chassis';
import { directoryCustomer } from '@corner/contracts';
import { keepCustomer } from '../tables/directory.ts';

/** A customer is kept as its newest snapshot has it. */
export const projectCustomer = on(directoryCustomer, ({ data }, tx) => keepCustomer(tx, data));
