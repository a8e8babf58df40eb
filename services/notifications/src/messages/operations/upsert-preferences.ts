import { type Operation, publish } from '@corner/chassis';
import { type notifications, Problem, prefsChanged } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { keepConsent, lockConsent, mergeToggles } from '../tables/preferences.ts';

/** Changes what the caller wants to hear of a store. What stays as it was is told to nobody. */
export const upsertPreferences: Operation<typeof notifications.upsertPreferences, Context> = async ({ caller, body }, { database, now }) =>
  await database.transaction(async (tx) => {
    const { storeId, ...toggles } = body;
    const consent = await lockConsent(tx, caller.id, storeId);
    if (!consent) throw new Problem('STORE_NOT_FOUND');
    const at = now();
    const changed = await mergeToggles(tx, caller.id, storeId, toggles, at);
    if (Object.keys(changed).length > 0) {
      const told = consent.told + 1;
      await keepConsent(tx, caller.id, storeId, { ...consent, told });
      await publish(tx, prefsChanged, {
        aggregateId: `${caller.id}:${storeId}`,
        sequence: told,
        storeId,
        customerId: caller.id,
        data: { customer_id: caller.id, store_id: storeId, changed, at: at.toISOString() },
      });
    }
    return { storeId, updated: true };
  });
