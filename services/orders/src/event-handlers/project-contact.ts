import { on } from '@corner/chassis';
import { directoryCustomer } from '@corner/contracts';
import { saveContact } from '../transactions/save-contact.ts';

/** Keeps the customer's name, and whether push or email reaches the customer; nothing else of the customer is stored. */
export const projectContact = on(directoryCustomer, ({ data }, tx) => saveContact(tx, data));
