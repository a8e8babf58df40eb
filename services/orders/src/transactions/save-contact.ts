import type { Transaction } from '@corner/chassis';
import type { DataOf, directoryCustomer } from '@corner/contracts';
import { writeContact } from '../tables/contacts.ts';

/** Stores a customer's name, and whether push or email reaches the customer, unless the same version or a newer one is stored. */
export const saveContact = (tx: Transaction, customer: DataOf<typeof directoryCustomer>): Promise<void> => writeContact(tx, customer);
