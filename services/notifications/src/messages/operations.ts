import type { Operation } from '@corner/chassis';
import type { notifications } from '@corner/contracts';
import type { Context } from '../context.ts';
import { listPreferences as selectList } from './tables/preferences.ts';
import { recordMarketingAnswer, updatePreferences } from './transactions/update-preferences.ts';

/** Records the caller's answer to a store's marketing question. */
export const answerMarketingOptIn: Operation<typeof notifications.answerMarketingOptIn, Context> = async (
  { caller, body: { store_id: storeId, accepted } },
  { database },
) => {
  await database.transaction((tx) => recordMarketingAnswer(tx, { customerId: caller.id, storeId }, accepted));
  return { ok: true };
};

/** Lists the caller's preferences at each of their stores, defaults included. */
export const listPreferences: Operation<typeof notifications.listPreferences, Context> = async ({ caller }, { database }) => ({
  preferences: [...(await selectList(database, caller.id))],
});

/** Changes the caller's preferences at a store. A preference that is left out stays as it is. */
export const upsertPreferences: Operation<typeof notifications.upsertPreferences, Context> = async (
  { caller, body: { storeId, ...changes } },
  { database },
) => {
  await database.transaction((tx) => updatePreferences(tx, { customerId: caller.id, storeId }, changes));
  return { storeId, updated: true };
};
