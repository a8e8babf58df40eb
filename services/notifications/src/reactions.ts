import { errandsOfCards } from './reactions/errands-of-cards.ts';
import { errandsOfOrders } from './reactions/errands-of-orders.ts';
import { errandsOfQueue } from './reactions/errands-of-queue.ts';
import { noteDealingWhenCustomerSeen } from './reactions/note-dealing-when-customer-seen.ts';
import { noteDealingWhenOrderPaid } from './reactions/note-dealing-when-order-paid.ts';
import { projectCustomer } from './reactions/project-customer.ts';
import { projectStore } from './reactions/project-store.ts';
import { walletReactions } from './wallet/doors.ts';

/** What notifications do when something has happened. */
export const reactions = {
  noteDealingWhenCustomerSeen,
  noteDealingWhenOrderPaid,
  projectCustomer,
  projectStore,
  ...errandsOfOrders,
  ...errandsOfCards,
  ...errandsOfQueue,
  ...walletReactions,
};
