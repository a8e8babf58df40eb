import { noteDealingWhenCustomerSeen } from './reactions/note-dealing-when-customer-seen.ts';
import { noteDealingWhenOrderPaid } from './reactions/note-dealing-when-order-paid.ts';
import { projectCustomer } from './reactions/project-customer.ts';
import { projectStore } from './reactions/project-store.ts';

/** What notifications do when something has happened. */
export const reactions = { noteDealingWhenCustomerSeen, noteDealingWhenOrderPaid, projectCustomer, projectStore };
