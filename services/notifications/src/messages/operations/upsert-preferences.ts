import type { Operation } from '@corner/chassis';
import type { notifications } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { updatePreferences } from '../transactions/update-preferences.ts';

/** Changes the caller's preferences at a store. A preference that is left out stays as it is. */
export const upsertPreferences: Operation<typeof notifications.upsertPreferences, Context> = async (
  { caller, body: { storeId, ...changes } },
  { database },
) => {
  await database.transaction((tx) => updatePreferences(tx, { customerId: caller.id, storeId }, changes));
  return { storeId, updated: true };
};
