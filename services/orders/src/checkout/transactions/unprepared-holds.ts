import type { Transaction } from '@corner/chassis';
import { Problem, type ProblemCode } from '@corner/contracts';
import { isUnpaid } from '../../order/rules/order-status.ts';
import { type HoldKind, releaseHolds, retakeHolds } from '../../order/tables/holds.ts';
import { appendLog } from '../../order/tables/log.ts';
import { familyIds, lockFamily } from '../../order/tables/order-family.ts';
import { markHeldAgain, markHoldsReleased } from '../../order/tables/order-payments.ts';

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

const problemOf: Record<HoldKind, ProblemCode> = { slot: 'SLOT_JUST_FILLED', stock: 'OUT_OF_STOCK', promo: 'PROMO_LIMIT_REACHED' };

export interface HoldingOrder {
  readonly storeId: string;
  readonly orderId: string;
  readonly holdMinutes: number;
}

/**
 * Takes the released holds of an unpaid order again, and gives it the time to pay anew. An order that holds them, or has ended, stays as
 * it is. Throws SLOT_JUST_FILLED, OUT_OF_STOCK and PROMO_LIMIT_REACHED.
 */
export async function holdAgain(tx: Transaction, { storeId, orderId, holdMinutes }: HoldingOrder): Promise<void> {
  const family = await lockFamily(tx, storeId, orderId);
  if (!family || !isUnpaid(family.main) || !family.main.holds_released) return;
  const { main } = family;
  const [missing] = await retakeHolds(tx, { storeId, orderIds: familyIds(family), as: 'held', customerId: main.customer_id });
  if (missing) throw new Problem(problemOf[missing]);
  await markHeldAgain(tx, orderId, new Date(tx.now.getTime() + holdMinutes * 60_000));
  await appendLog(tx, { storeId, orderId, kind: 'held', title: 'The order was sent again and holds everything again' });
}
