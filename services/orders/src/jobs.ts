import { job } from '@corner/chassis';
import { expireUnpaidOrders } from './jobs/expire-unpaid-orders.ts';
import { reconcilePayments } from './jobs/reconcile-payments.ts';
import { tellOwedDelays } from './jobs/tell-owed-delays.ts';
import { workProviderEvents } from './sagas/work-provider-events.ts';

/** What orders does because time has passed. */
export const jobs = {
  workProviderEvents: job(1, workProviderEvents),
  expireUnpaidOrders: job(15, expireUnpaidOrders),
  reconcilePayments: job(10, reconcilePayments),
  tellOwedDelays: job(5, tellOwedDelays),
};
