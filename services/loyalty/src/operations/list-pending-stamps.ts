import type { Operation } from '@corner/chassis';
import type { loyalty } from '@corner/contracts';
import type { Context } from '../context.ts';
import { listStamps } from '../tables/stamp-list.ts';

/** Lists a store's 100 newest stamps of one status, each with the customer who collected it. */
export const listPendingStamps: Operation<typeof loyalty.listPendingStamps, Context> = async ({ query }, { database }) => {
  const rows = await listStamps(database, { storeId: query.store_id, status: query.status });
  return {
    stamps: rows.map(({ name, email, phone, identity_user_id, last_seen, known_since, ...stamp }) => ({
      ...stamp,
      customer: {
        id: stamp.customer_id ?? 'guest',
        name,
        email,
        phone,
        identity_user_id,
        last_seen,
        created_at: known_since,
        updated_at: null,
      },
    })),
  };
};
