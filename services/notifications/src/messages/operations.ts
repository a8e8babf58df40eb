import type { Operation } from '@corner/chassis';
import { type notifications, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { maxMarketingAsks } from './rules/preferences.ts';
import { readMarketingState, listPreferences as selectList } from './tables/preferences.ts';
import { recordMarketingAnswer, updatePreferences } from './transactions/update-preferences.ts';

export const answerMarketingOptIn: Operation<typeof notifications.answerMarketingOptIn, Context> = async (
  { caller, body: { store_id: storeId, accepted } },
  { database },
) => {
  await database.transaction((tx) => recordMarketingAnswer(tx, { customerId: caller.id, storeId }, accepted));
  return { ok: true };
};

/** Returns whether the caller may be asked about a store's marketing. Counts as no ask. */
export const readMarketingAsk: Operation<typeof notifications.readMarketingAsk, Context> = async (
  { caller, query: { store_id: storeId } },
  { database },
) => {
  const { decided, storeIsKnown } = await readMarketingState(database, { customerId: caller.id, storeId }, maxMarketingAsks);
  if (!storeIsKnown) throw new Problem('STORE_NOT_FOUND');
  return { ask: !decided };
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
