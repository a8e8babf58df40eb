import { publish, type Transaction } from '@corner/chassis';
import { Problem, prefsChanged } from '@corner/contracts';
import type { PreferenceChanges } from '../rules/preferences.ts';
import { type ConsentKey, lockConsent, updateConsent } from '../tables/consents.ts';
import { mergePreferences } from './merge-preferences.ts';

/** Changes a customer's preferences at a store and publishes those whose value changed. Throws STORE_NOT_FOUND for an unknown store. */
export async function updatePreferences(tx: Transaction, key: ConsentKey, changes: PreferenceChanges): Promise<void> {
  const { customerId, storeId } = key;
  const consent = await lockConsent(tx, key);
  if (!consent) throw new Problem('STORE_NOT_FOUND');
  const changed = await mergePreferences(tx, key, changes);
  if (Object.keys(changed).length === 0) return;
  const sequence = consent.eventSequence + 1;
  await updateConsent(tx, key, { ...consent, eventSequence: sequence });
  await publish(tx, prefsChanged, {
    aggregateId: `${customerId}:${storeId}`,
    sequence,
    storeId,
    customerId,
    data: { customer_id: customerId, store_id: storeId, changed, at: tx.now.toISOString() },
  });
}
