import type { Transaction } from '@corner/chassis';
import type { DataOf, directoryCustomer } from '@corner/contracts';
import { writeContact } from '../tables/contacts.ts';

/** Stores whether a customer can be reached by push or email, unless the same version or a newer one is stored. */
export const saveContact = (tx: Transaction, customer: DataOf<typeof directoryCustomer>): Promise<void> => writeContact(tx, customer);
