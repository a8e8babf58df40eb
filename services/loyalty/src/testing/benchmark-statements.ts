import type { Context } from '../context.ts';
import { customerState } from '../operations/customer-state.ts';
import { listPendingStamps } from '../operations/list-pending-stamps.ts';
import { type Card, standingOf } from '../tables/cards.ts';
import { stampsAround } from '../tables/limits.ts';

/** Reads of one store's stamps whose plans the benchmarks check, by name. Each sends its statement through the context it is given. */
export const readsOfStamps = (storeId: string, customerId: string) =>
  ({
    'customer-state': (context) =>
      customerState({ query: { store_id: storeId, customer_id: customerId } } as Parameters<typeof customerState>[0], context),
    'card balance': ({ database }) => standingOf(database as never, { storeId, customerId }),
    limits: ({ database }) => stampsAround(database as never, cardOf(storeId, customerId), at, at),
    'pending stamps': (context) => listPendingStamps(listQuery(storeId, 'pending'), context),
    'approved stamps': (context) => listPendingStamps(listQuery(storeId, 'approved'), context),
  }) satisfies Readonly<Record<string, (context: Context) => Promise<unknown>>>;

const at = new Date('2026-05-20T11:00:00Z');

const cardOf = (storeId: string, customerId: string): Card =>
  ({ storeId, customerId, time_zone: 'Europe/London', monthly_stamp_quota: 5_000 }) as Card;

const listQuery = (storeId: string, status: string) =>
  ({ query: { store_id: storeId, status } }) as Parameters<typeof listPendingStamps>[0];
