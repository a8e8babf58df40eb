import { on } from '@corner/chassis';
import { directoryCustomer } from '@corner/contracts';
import { keepContact } from '../transactions/keep-contact.ts';

/** Keeps whether the customer can be reached by push or email; nothing else of the customer is stored. */
export const projectContact = on(directoryCustomer, ({ data }, tx) => keepContact(tx, data));
