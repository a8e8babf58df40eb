import { customerState } from '../card/operations.ts';
import { type LimitedCard, readCardBalance, readStampUsage } from '../card/tables/stamps.ts';
import type { Context } from '../context.ts';
import { listPendingStamps } from '../staff/operations.ts';

/** Reads of one store's stamps whose plans the benchmarks check, by name. Each sends its statement through the context it is given. */
export const readsOfStamps = (storeId: string, customerId: string) =>
  ({
    'customer-state': (context) =>
      customerState(
        { query: { store_id: storeId, customer_id: customerId }, caller: ownerOf(storeId) } as unknown as Parameters<
          typeof customerState
        >[0],
        context,
      ),
    'card balance': ({ database }) => readCardBalance(database, { programmeId: storeId, customerId }),
    limits: ({ database }) => readStampUsage(database, cardOf(storeId, customerId), { collectedAt: now, now }),
    'pending stamps': (context) => listPendingStamps(listQuery(storeId, 'pending'), context),
    'approved stamps': (context) => listPendingStamps(listQuery(storeId, 'approved'), context),
  }) satisfies Readonly<Record<string, (context: Context) => Promise<unknown>>>;

export const now = new Date('2026-05-20T11:00:00Z');

export const cardOf = (storeId: string, customerId: string): LimitedCard => ({
  programmeId: storeId,
  storeId,
  customerId,
  time_zone: 'Europe/London',
  monthly_stamp_quota: 5_000,
});

const ownerOf = (storeId: string) => ({ type: 'merchant', id: 'benchmark', stores: new Map([[storeId, 'owner']]) });

export const listQuery = (storeId: string, status: string) =>
  ({ query: { store_id: storeId, status }, caller: ownerOf(storeId) }) as unknown as Parameters<typeof listPendingStamps>[0];
