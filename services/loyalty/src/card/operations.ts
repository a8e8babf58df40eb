import { hasRole, type Operation } from '@corner/chassis';
import { type loyalty, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { readCustomerState } from './tables/customer-state.ts';

/** Returns a customer's state at a store. Phone and e-mail are for managers and owners, once the customer has done something there. */
export const customerState: Operation<typeof loyalty.customerState, Context> = async ({ query, caller }, { database, now }) => {
  const state = await readCustomerState(database, { storeId: query.store_id, customerId: query.customer_id }, now());
  if (!state) throw new Problem('STORE_NOT_FOUND');
  const membership = state.memberships?.find(({ store_id }) => store_id === query.store_id);
  const seesContact = state.known && hasRole(caller, query.store_id, 'manager');
  return {
    stamp_count: Math.max(0, state.stamps - state.debt),
    goal: state.goal ?? 0,
    reward_name: state.reward_title ?? '',
    loyalty_enabled: state.enabled ?? false,
    active_vouchers: state.vouchers,
    order_count: state.order_count,
    total_spent_pence: state.spent,
    currency: state.currency,
    membership: {
      status: membership?.status ?? null,
      current_period_end: membership?.current_period_end ?? null,
      plan_name: membership?.plan_name ?? null,
    },
    driver: state.driver,
    phone: seesContact ? state.phone : null,
    email: seesContact ? state.email : null,
    last_visit_at: state.last_visit_at,
  };
};
