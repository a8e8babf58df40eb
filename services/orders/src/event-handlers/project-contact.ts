import { on } from '@corner/chassis';
import { directoryCustomer } from '@corner/contracts';
import { keepContact } from '../tables/delay-notices.ts';

/** Of a customer only the ways to be reached are kept. */
export const projectContact = on(directoryCustomer, ({ data }, tx) => keepContact(tx, data));
