import type { Operation } from '@corner/chassis';
import type { notifications } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { listPreferences as selectList } from '../tables/preferences.ts';

/** Lists the caller's preferences at each of their stores, defaults included. */
export const listPreferences: Operation<typeof notifications.listPreferences, Context> = async ({ caller }, { database }) => ({
  preferences: [...(await selectList(database, caller.id))],
});
