import { errandsOfCards } from './event-handlers/errands-of-cards.ts';
import { errandsOfOrders } from './event-handlers/errands-of-orders.ts';
import { errandsOfQueue } from './event-handlers/errands-of-queue.ts';
import { projectCustomer } from './messages/event-handlers/project-customer.ts';
import { projectStore } from './messages/event-handlers/project-store.ts';
import { noteDealingWhenCustomerSeen } from './messages/event-handlers/record-interaction-when-customer-seen.ts';
import { noteDealingWhenOrderPaid } from './messages/event-handlers/record-interaction-when-order-paid.ts';
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
