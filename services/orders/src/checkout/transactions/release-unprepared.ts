import type { Transaction } from '@corner/chassis';
import { isUnpaid } from '../../order/rules/order-status.ts';
import { releaseHolds } from '../../order/tables/holds.ts';
import { appendLog } from '../../order/tables/log.ts';
import { familyIds, lockFamily } from '../../order/tables/order-family.ts';
import { markHoldsReleased } from '../../order/tables/order-payments.ts';

export interface UnpreparedOrder {
  readonly storeId: string;
  readonly orderId: string;
  readonly customerId: string;
  /** The customer's id at the provider; null when it has none yet. */
  readonly providerId: string | null;
}

/**
 * Releases what an unpaid order without an intent holds. Returns false, having changed nothing, for any other order: another request
 * may have prepared its payment meanwhile.
 */
export async function releaseUnprepared(tx: Transaction, { storeId, orderId, customerId, providerId }: UnpreparedOrder): Promise<boolean> {
  const family = await lockFamily(tx, storeId, orderId);
  if (!family || !isUnpaid(family.main) || family.main.payment_intent_id || family.main.holds_released) return false;
  await markHoldsReleased(tx, { orderId, customerId, providerId });
  await releaseHolds(tx, { storeId, orderIds: familyIds(family), kinds: ['slot', 'stock', 'promo'] });
  await appendLog(tx, { storeId, orderId, kind: 'released', title: 'The payment could not be prepared, so the order holds nothing' });
  return true;
}
