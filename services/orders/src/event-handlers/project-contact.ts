import { on } from '@corner/chassis';
import { directoryCustomer } from '@corner/contracts';
import { saveContact } from '../transactions/save-contact.ts';

/** Keeps whether the customer can be reached by push or email; nothing else of the customer is stored. */
export const projectContact = on(directoryCustomer, ({ data }, tx) => saveContact(tx, data));
