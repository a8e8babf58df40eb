import { schedule } from '@corner/chassis';
import { workProviderEvents } from './sagas/work-provider-events.ts';
import { expireUnpaidOrders } from './schedules/expire-unpaid-orders.ts';
import { reconcilePayments } from './schedules/reconcile-payments.ts';
import { tellOwedDelays } from './schedules/tell-owed-delays.ts';

/** What orders does because time has passed. */
export const schedules = {
  workProviderEvents: schedule(1, workProviderEvents),
  expireUnpaidOrders: schedule(15, expireUnpaidOrders),
  reconcilePayments: schedule(10, reconcilePayments),
  tellOwedDelays: schedule(5, tellOwedDelays),
};
