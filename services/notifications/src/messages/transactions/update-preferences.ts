import { outboxEntry, publish, publishAll, type Transaction } from '@corner/chassis';
import { type ConsentWay, marketingAnswered, Problem, prefsChanged, type ShownText } from '@corner/contracts';
import type { Unsubscription } from '../../crypto.ts';
import {
  changedPreferences,
  defaultPreferences,
  letsSend,
  maxMarketingAsks,
  type PreferenceChanges,
  type Preferences,
  switchedOnAfter,
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

export interface Answering {
  readonly way: ConsentWay;
  readonly shown: ShownText | null;
}

/**
 * Changes a customer's preferences at a store and publishes those whose value changed; for marketing also records the answer. Throws
 * STORE_NOT_FOUND for an unknown store.
 */
export async function updatePreferences(tx: Transaction, key: ConsentKey, changes: PreferenceChanges, answering: Answering): Promise<void> {
  const { customerId, storeId } = key;
  const consent = await lockConsent(tx, key);
  if (!consent) throw new Problem('STORE_NOT_FOUND');
  const changed = await mergePreferences(tx, key, changes);
  if (Object.keys(changed).length === 0) return;
  const sequence = consent.eventSequence + 1;
  const switchedOn = switchedOnAfter(consent.switchedOn, changed, sequence);
  await updateConsent(tx, key, { ...consent, eventSequence: sequence, switchedOn });
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
 * Switches off the preference of a mail's link. Returns false, and changes nothing, when the customer has switched it on since the mail was
 * sent: otherwise anyone with an old mail could stop the messages for ever. Throws STORE_NOT_FOUND.
 */
export async function stopByLink(tx: Transaction, { toggle, consent, ...key }: Unsubscription): Promise<boolean> {
  const found = await lockConsent(tx, key);
  if ((found?.switchedOn[toggle] ?? 0) > consent) return false;
  await updatePreferences(tx, key, { [toggle]: !letsSend(toggle, true) }, { way: 'unsubscribe', shown: null });
  return true;
}

/**
 * Records a customer's answer to a store's marketing question; each counts as an ask, up to the last. Yes opts in; no revokes an earlier
 * yes. Changes are recorded and published. Throws STORE_NOT_FOUND.
 */
export async function recordMarketingAnswer(tx: Transaction, key: ConsentKey, accepted: boolean, answering: Answering): Promise<void> {
  const { customerId, storeId } = key;
  const consent = await lockConsent(tx, key);
  if (!consent) throw new Problem('STORE_NOT_FOUND');
  const asks = Math.min(consent.asks + 1, maxMarketingAsks);
  const isChanged = accepted
    ? 'marketingEnabled' in (await mergePreferences(tx, key, { marketingEnabled: true }))
    : await switchMarketingOff(tx, key);
  if (!isChanged && asks === consent.asks) return;
  const changed = isChanged ? { marketingEnabled: accepted } : {};
  const sequence = consent.eventSequence + 1;
  await updateConsent(tx, key, { asks, eventSequence: sequence, switchedOn: switchedOnAfter(consent.switchedOn, changed, sequence) });
  await insertAnswer(tx, key, { sequence, accepted, ask: asks > consent.asks ? asks : null, ...answering });
  const about = { aggregateId: `${customerId}:${storeId}`, sequence, storeId, customerId };
  const ids = { customer_id: customerId, store_id: storeId, at: tx.now.toISOString() };
  await publishAll(tx, [
    outboxEntry(marketingAnswered, { ...about, data: { ...ids, accepted } }),
    ...(isChanged ? [outboxEntry(prefsChanged, { ...about, data: { ...ids, changed } })] : []),
  ]);
}

/** Returns the preferences whose value changed. Runs under the lock of `lockConsent`. */
async function mergePreferences(tx: Transaction, key: ConsentKey, changes: PreferenceChanges): Promise<Partial<Preferences>> {
  const previous = (await selectPreferences(tx, key)) ?? defaultPreferences;
  return changedPreferences(previous, await upsertPreferences(tx, key, changes));
}
