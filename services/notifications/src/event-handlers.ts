import { errandsOfCards } from './event-handlers/errands-of-cards.ts';
import { errandsOfOrders } from './event-handlers/errands-of-orders.ts';
import { errandsOfQueue } from './event-handlers/errands-of-queue.ts';
import { noteDealingWhenCustomerSeen } from './event-handlers/note-dealing-when-customer-seen.ts';
import { noteDealingWhenOrderPaid } from './event-handlers/note-dealing-when-order-paid.ts';
import { projectCustomer } from './event-handlers/project-customer.ts';
import { projectStore } from './event-handlers/project-store.ts';
import { walletEventHandlers } from './wallet/doors.ts';

/** What notifications do when something has happened. */
export const eventHandlers = {
  noteDealingWhenCustomerSeen,
  noteDealingWhenOrderPaid,
  projectCustomer,
  projectStore,
  ...errandsOfOrders,
  ...errandsOfCards,
  ...errandsOfQueue,
  ...walletEventHandlers,
};
