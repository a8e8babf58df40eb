import { outboxEntry, publishAll, type Transaction } from '@corner/chassis';
import { marketingAnswered, Problem, prefsChanged } from '@corner/contracts';
import { maxMarketingAsks } from '../rules/max-marketing-asks.ts';
import { type ConsentKey, lockConsent, updateConsent } from '../tables/consents.ts';
import { switchMarketingOff } from '../tables/preferences.ts';
import { mergePreferences } from './merge-preferences.ts';

/**
 * Records a customer's answer to a store's marketing question. Either answer counts as an ask, up to the last one. An answer of yes
 * opts in, also after the last ask. An answer of no inserts no preference row and switches an earlier yes off. An answer that counts as
 * an ask or changes the preference is published: the events are the record of consent. Throws STORE_NOT_FOUND for an unknown store.
 */
export async function recordMarketingAnswer(tx: Transaction, key: ConsentKey, accepted: boolean): Promise<void> {
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
  const about = { aggregateId: `${customerId}:${storeId}`, sequence, storeId, customerId };
  const ids = { customer_id: customerId, store_id: storeId, at: tx.now.toISOString() };
  await publishAll(tx, [
    outboxEntry(marketingAnswered, { ...about, data: { ...ids, accepted } }),
    ...(changed ? [outboxEntry(prefsChanged, { ...about, data: { ...ids, changed: { marketingEnabled: accepted } } })] : []),
  ]);
}
