import { hasRole, type Operation } from '@corner/chassis';
import { type loyalty, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { readCustomerState } from './tables/customer-state.ts';
import { countStampEvidence } from './tables/evidence.ts';
import { readCardHistory as readHistory } from './tables/history.ts';
import { listOwnCards } from './tables/own-cards.ts';
import { dataRead } from './transactions.ts';

/** Phone and e-mail are for managers and owners, once the customer has done something there. */
export const customerState: Operation<typeof loyalty.customerState, Context> = async ({ query, caller }, { database, now, newId }) => {
  const [at, storeId, customerId] = [now(), query.store_id, query.customer_id];
  const read = dataRead(caller, { id: newId(), storeId, customerIds: [customerId], what: 'card', at });
  const state = await database.publishing((queries) => readCustomerState(queries, { storeId, customerId }, at, read));
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

export const listMyCards: Operation<typeof loyalty.listMyCards, Context> = async ({ caller }, { database, now }) => ({
  cards: (await listOwnCards(database, caller.id, now())).map(
    ({ stamps, debt, vouchers, memberships, reward_title, goal, enabled, ...card }) => ({
      ...card,
      stamp_count: Math.max(0, stamps - debt),
      owed: Math.max(0, debt - stamps),
      goal: goal ?? 0,
      reward_name: reward_title ?? '',
      enabled: enabled ?? false,
      stamps_per_order: card.stamps_per_order ?? 0,
      min_spend_pence: card.min_spend_pence ?? 0,
      active_vouchers: vouchers,
      memberships: (memberships ?? []).filter(({ store_id }) => card.stores.some(({ id }) => id === store_id)),
    }),
  ),
});

export const readCardHistory: Operation<typeof loyalty.readCardHistory, Context> = async ({ params, query, caller }, { database }) => {
  const key = { storeId: params.store_id, customerId: caller.id };
  const history = await readHistory(database, { ...key, before: query.before ?? null, limit: query.limit });
  if (!history) throw new Problem('STORE_NOT_FOUND');
  if (!history.cursor_known) throw new Problem('INVALID_CURSOR', { message: 'The card’s history has no entry with the id in before.' });
  return {
    entries: history.entries.map(({ balance, ...entry }) => ({
      ...entry,
      count_after: Math.max(0, balance),
      owed_after: Math.max(0, -balance),
    })),
  };
};

export const readStampEvidence: Operation<typeof loyalty.readStampEvidence, Context> = async ({ query }, { database }) => {
  const { store_id: storeId, from, to } = query;
  const counted = await countStampEvidence(database, { storeId, from, to });
  if (!counted) throw new Problem('STORE_NOT_FOUND');
  const sum = (rows: typeof counted.evidence) => rows.reduce((total, { stamps }) => total + stamps, 0);
  const proved = counted.evidence.filter(({ evidence }) => evidence === 'order' || evidence === 'tap');
  return { from, to, stamps: sum(counted.evidence), proved: sum(proved), evidence: counted.evidence };
};
