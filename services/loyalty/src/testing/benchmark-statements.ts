import type { Context } from '../context.ts';
import { customerState } from '../operations/customer-state.ts';
import { listPendingStamps } from '../operations/pending-stamps.ts';
import { readCardBalance } from '../tables/cards.ts';
import { type LimitedCard, readStampUsage } from '../tables/stamp-usage.ts';

/** Reads of one store's stamps whose plans the benchmarks check, by name. Each sends its statement through the context it is given. */
export const readsOfStamps = (storeId: string, customerId: string) =>
  ({
    'customer-state': (context) =>
      customerState({ query: { store_id: storeId, customer_id: customerId } } as Parameters<typeof customerState>[0], context),
    'card balance': ({ database }) => readCardBalance(database, { storeId, customerId }),
    limits: ({ database }) => readStampUsage(database, cardOf(storeId, customerId), { collectedAt: now, now }),
    'pending stamps': (context) => listPendingStamps(listQuery(storeId, 'pending'), context),
    'approved stamps': (context) => listPendingStamps(listQuery(storeId, 'approved'), context),
  }) satisfies Readonly<Record<string, (context: Context) => Promise<unknown>>>;

const now = new Date('2026-05-20T11:00:00Z');

const cardOf = (storeId: string, customerId: string): LimitedCard => ({
  storeId,
  customerId,
  time_zone: 'Europe/London',
  monthly_stamp_quota: 5_000,
});

const listQuery = (storeId: string, status: string) =>
  ({ query: { store_id: storeId, status } }) as Parameters<typeof listPendingStamps>[0];
