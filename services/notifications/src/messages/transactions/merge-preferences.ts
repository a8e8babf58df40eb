import type { Transaction } from '@corner/chassis';
import { changedPreferences, defaultPreferences, type PreferenceChanges, type Preferences } from '../rules/preferences.ts';
import type { ConsentKey } from '../tables/consents.ts';
import { selectPreferences, upsertPreferences } from '../tables/preferences.ts';

/** Merges changes into a customer's preferences at a store, under the lock of `lockConsent`. Returns those whose value is different now. */
export async function mergePreferences(tx: Transaction, key: ConsentKey, changes: PreferenceChanges): Promise<Partial<Preferences>> {
  const previous = (await selectPreferences(tx, key)) ?? defaultPreferences;
  return changedPreferences(previous, await upsertPreferences(tx, key, changes));
}
