import type { Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { learnedDays, learnFrom } from './rules.ts';
import { listStoreIds, readKnownOrders, readReadyWeeks, writeReadyTimes } from './tables.ts';

const leastId = '00000000-0000-0000-0000-000000000000';

/** Learns from the orders of each store how long they take, and counts its kept quotes. Safe to run twice at once: the last one stays. */
export async function learnReadyTimes(context: Context): Promise<void> {
  for (let after = leastId; ; ) {
    const ids = await listStoreIds(context.database, after);
    for (const id of ids) {
      await learnOfStore(context, id).catch((error: unknown) =>
        context.log.warn({ err: error, store_id: id }, 'the ready times of a store could not be learned yet'),
      );
      after = id;
    }
    if (ids.length === 0) return;
  }
}

async function learnOfStore({ database, now }: Context, storeId: string): Promise<void> {
  const known = await readKnownOrders(database, { storeId, now: now(), days: learnedDays });
  const quoted = known.filter((order) => order.quoted);
  const kept = quoted.filter((order) => order.kept).length;
  await writeReadyTimes(database, storeId, { learned: learnFrom(known), quotes: quoted.length, kept });
}

export const readReadyTimes: Operation<typeof orders.readReadyTimes, Context> = async ({ params, query }, { database, now }) => {
  const found = await readReadyWeeks(database, { storeId: params.store_id, weeks: query.weeks, now: now() });
  if (!found) throw new Problem('STORE_NOT_FOUND');
  return found;
};
