import { outboxEntry, publish, publishAll, type Transaction } from '@corner/chassis';
import { type ConsentWay, marketingAnswered, Problem, prefsChanged, type ShownText } from '@corner/contracts';
import {
  changedPreferences,
  defaultPreferences,
  maxMarketingAsks,
  type PreferenceChanges,
  type Preferences,
} from '../rules/preferences.ts';
import { insertAnswer } from '../tables/consent.ts';
import {
  type ConsentKey,
  lockConsent,
  selectPreferences,
  switchMarketingOff,
  updateConsent,
  upsertPreferences,
} from '../tables/preferences.ts';

/** Where a customer answered about marketing, and the text that they saw; null where none is known. */
export interface Answering {
  readonly way: ConsentWay;
  readonly shown: ShownText | null;
}

/**
 * Changes a customer's preferences at a store and publishes those whose value changed; of marketing also records the answer. Throws
 * STORE_NOT_FOUND for an unknown store.
 */
export async function updatePreferences(tx: Transaction, key: ConsentKey, changes: PreferenceChanges, answering: Answering): Promise<void> {
  const { customerId, storeId } = key;
  const consent = await lockConsent(tx, key);
  if (!consent) throw new Problem('STORE_NOT_FOUND');
  const changed = await mergePreferences(tx, key, changes);
  if (Object.keys(changed).length === 0) return;
  const sequence = consent.eventSequence + 1;
  await updateConsent(tx, key, { ...consent, eventSequence: sequence });
  const { marketingEnabled: accepted } = changed;
  if (accepted !== undefined) await insertAnswer(tx, key, { sequence, accepted, ask: null, ...answering });
  await publish(tx, prefsChanged, {
    aggregateId: `${customerId}:${storeId}`,
    sequence,
    storeId,
    customerId,
    data: { customer_id: customerId, store_id: storeId, changed, at: tx.now.toISOString() },
  });
}

/**
 * Records a customer's answer to a store's marketing question; each counts as an ask, up to the last. Yes opts in; no switches an earlier
 * yes off. What changes is recorded and published. Throws STORE_NOT_FOUND.
 */
export async function recordMarketingAnswer(tx: Transaction, key: ConsentKey, accepted: boolean, answering: Answering): Promise<void> {
  const { customerId, storeId } = key;
  const consent = await lockConsent(tx, key);
  if (!consent) throw new Problem('STORE_NOT_FOUND');
  const asks = Math.min(consent.asks + 1, maxMarketingAsks);
  const changed = accepted
    ? 'marketingEnabled' in (await mergePreferences(tx, key, { marketingEnabled: true }))
    : await switchMarketingOff(tx, key);
  if (!changed && asks === consent.asks) return;
  const sequence = consent.eventSequence + 1;
  await updateConsent(tx, key, { asks, eventSequence: sequence });
  await insertAnswer(tx, key, { sequence, accepted, ask: asks > consent.asks ? asks : null, ...answering });
  const about = { aggregateId: `${customerId}:${storeId}`, sequence, storeId, customerId };
  const ids = { customer_id: customerId, store_id: storeId, at: tx.now.toISOString() };
  await publishAll(tx, [
    outboxEntry(marketingAnswered, { ...about, data: { ...ids, accepted } }),
    ...(changed ? [outboxEntry(prefsChanged, { ...about, data: { ...ids, changed: { marketingEnabled: accepted } } })] : []),
  ]);
}

/** Merges changes into a customer's preferences at a store, under the lock of `lockConsent`. Returns those whose value is different now. */
async function mergePreferences(tx: Transaction, key: ConsentKey, changes: PreferenceChanges): Promise<Partial<Preferences>> {
  const previous = (await selectPreferences(tx, key)) ?? defaultPreferences;
  return changedPreferences(previous, await upsertPreferences(tx, key, changes));
}
