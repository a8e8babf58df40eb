import type { Transaction } from '@corner/chassis';
import type { ProviderOutcome } from '../rules/refund-settlement.ts';
import { lockFamily } from '../tables/order-family.ts';
import type { OrderRow } from '../tables/orders.ts';
import { insertForeignRefund, type RefundRow } from '../tables/refunds.ts';
import { settleRefund } from './settle-refund.ts';

/** Stores a refund made at the provider's dashboard, once per provider id, and settles it as the provider reports it. */
export async function adoptRefund(
  tx: Transaction,
  order: OrderRow,
  refund: ProviderOutcome & { readonly amountPence: number },
): Promise<RefundRow | null> {
  await lockFamily(tx, order.store_id, order.id);
  const refundId = await insertForeignRefund(tx, order, refund);
  return await settleRefund(tx, order.store_id, refundId, refund);
}
