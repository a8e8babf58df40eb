import type { Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { monthlyQuotaExceeded } from '../rules/card.ts';
import { ceilingExceeded, maxStampsPerRequest, storeRefusal, windowSeconds } from '../rules/multi-stamp.ts';
import { openRequest } from '../tables/multi-stamp-requests.ts';
import { multiStampsThisMonth, readStampUsage } from '../tables/stamp-usage.ts';
import { findStore } from '../tables/stores.ts';

/**
 * Opens a request for several stamps, which staff confirm within a minute. A customer has one pending request per store. Throws
 * STORE_NOT_FOUND, MULTI_STAMP_DISABLED, PLAN_NOT_ENTITLED, STORE_FROZEN, VALIDATION_FAILED for too many stamps,
 * MULTI_STAMP_MONTHLY_CEILING, MONTHLY_LIMIT_REACHED and MULTI_STAMP_PENDING.
 */
export async function requestMultiStamp(
  tx: Transaction,
  { storeId, customerId, stamps }: { readonly storeId: string; readonly customerId: string; readonly stamps: number },
): Promise<OpenedRequest> {
  const store = await findStore(tx, storeId);
  if (!store) throw new Problem('STORE_NOT_FOUND');
  const refusal = storeRefusal(store);
  if (refusal || !store.multiStamp) throw new Problem(refusal ?? 'MULTI_STAMP_DISABLED');
  const max = maxStampsPerRequest(store);
  if (stamps > max) throw new Problem('VALIDATION_FAILED', { message: `body.requested_stamps: must be 1 to ${max} here` });
  const card = { storeId: store.id, customerId };
  const confirmed = await multiStampsThisMonth(tx, card, store.timeZone);
  if (ceilingExceeded(confirmed, stamps, store.multiStamp.monthly_ceiling)) throw new Problem('MULTI_STAMP_MONTHLY_CEILING');
  // Checked again under the locks when staff confirm it: this spares them a tap that cannot succeed.
  const limits = { time_zone: store.timeZone, monthly_stamp_quota: store.monthlyStampQuota };
  const usage = await readStampUsage(tx, { ...card, ...limits }, { collectedAt: tx.now, now: tx.now });
  if (monthlyQuotaExceeded(limits, usage, stamps)) throw new Problem('MONTHLY_LIMIT_REACHED');
  const id = tx.newId();
  const expiresAt = await openRequest(tx, { id, ...card, stamps, expiresAt: new Date(tx.now.getTime() + windowSeconds * 1_000) });
  if (expiresAt === null) throw new Problem('MULTI_STAMP_PENDING');
  return { id, expiresAt };
}

export interface OpenedRequest {
  readonly id: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}
