import type { Operation } from '@corner/chassis';
import type { notifications } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { selectPreferences } from '../tables/preferences.ts';

/** Lists what the caller wants to hear about, store by store, the defaults filled in. */
export const listPreferences: Operation<typeof notifications.listPreferences, Context> = async ({ caller }, { database }) => ({
  preferences: [...(await database.any(selectPreferences(caller.id)))],
});
