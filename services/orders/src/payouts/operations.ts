import type { Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import { findAccountOfStore } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { listPayoutsOf, type PayoutRow } from './tables.ts';

export const listPayouts: Operation<typeof orders.listPayouts, Context> = async ({ params, query }, { database, mode }) => {
  const store = await findAccountOfStore(database, params.store_id, mode);
  if (!store) throw new Problem('STORE_NOT_FOUND');
  const accountId = store.named ?? store.opened;
  return {
    payouts: accountId === null ? [] : (await listPayoutsOf(database, accountId, query.before ?? null, query.limit)).map(payoutView),
  };
};

const payoutView = ({ arrives_on: arrival_date, orders, matched_pence, ...payout }: PayoutRow) => ({
  ...payout,
  arrival_date,
  matched:
    orders === null || matched_pence === null
      ? null
      : { orders, amount_pence: matched_pence, other_pence: payout.amount_pence - matched_pence },
});
