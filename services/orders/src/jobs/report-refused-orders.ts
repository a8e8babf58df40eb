import type { Context } from '../context.ts';
import { reportRefusedOrders as report } from '../transactions/report-refused-orders.ts';

/** Publishes the orders that were refused because a store's account is restricted. */
export const reportRefusedOrders = ({ database }: Context): Promise<void> => database.transaction(report);
