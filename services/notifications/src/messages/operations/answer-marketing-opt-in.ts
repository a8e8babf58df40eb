import { type Operation, outboxEntry, publishAll } from '@corner/chassis';
import { marketingAnswered, type notifications, Problem, prefsChanged } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { keepConsent, lockConsent, mergeToggles, withdrawMarketing } from '../tables/preferences.ts';

/** Times a customer is asked about a store's marketing. */
const mostAsks = 2;

/**
 * Records the caller's answer to the marketing question. Yes opts in, also after the last ask; no is counted as asked, makes no row,
 * and switches an earlier yes off. Each answer that is a new ask or changes something is told: it is the record of consent.
 */
export const answerMarketingOptIn: Operation<typeof notifications.answerMarketingOptIn, Context> = async (
  { caller, body },
  { database, now },
) =>
  await database.transaction(async (tx) => {
    const { store_id: storeId, accepted } = body;
    const consent = await lockConsent(tx, caller.id, storeId);
    if (!consent) throw new Problem('STORE_NOT_FOUND');
    const at = now();
    const asks = Math.min(consent.asks + 1, mostAsks);
    const flipped = accepted
      ? 'marketingEnabled' in (await mergeToggles(tx, caller.id, storeId, { marketingEnabled: true }, at))
      : await withdrawMarketing(tx, caller.id, storeId, at);
    if (!flipped && asks === consent.asks) return { ok: true };
    const sequence = consent.told + 1;
    await keepConsent(tx, caller.id, storeId, { asks, told: sequence });
    const about = { aggregateId: `${caller.id}:${storeId}`, sequence, storeId, customerId: caller.id };
    const names = { customer_id: caller.id, store_id: storeId, at: at.toISOString() };
    await publishAll(tx, [
      outboxEntry(marketingAnswered, { ...about, data: { ...names, accepted } }),
      ...(flipped ? [outboxEntry(prefsChanged, { ...about, data: { ...names, changed: { marketingEnabled: accepted } } })] : []),
    ]);
    return { ok: true };
  });
