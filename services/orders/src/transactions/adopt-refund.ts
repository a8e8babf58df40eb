import type { Transaction } from '@corner/chassis';
import type { ProviderOutcome } from '../rules/refund-settlement.ts';
import { lockFamily } from '../tables/order-family.ts';
import type { OrderRow } from '../tables/orders.ts';
import { findRefund, insertForeignRefund, type RefundRow } from '../tables/refunds.ts';
import { settleLockedRefund } from './settle-refund.ts';

/**
 * Settles a refund as the provider reports it. `ownId` is the refund here that it was requested for. A refund that was made without one,
 * at the provider's dashboard, is stored once per provider id; so is a second one for the same request, which the provider made after
 * responding with an error.
 */
export async function enterProviderRefund(
  tx: Transaction,
  order: OrderRow,
  ownId: string | null,
  refund: ProviderOutcome & { readonly amountPence: number; readonly reversesTransfer: boolean },
): Promise<RefundRow | null> {
  const family = await lockFamily(tx, order.store_id, order.id);
  if (!family) return null;
  const own = ownId ? await findRefund(tx, ownId) : null;
  const isOwn = own !== null && (own.provider_refund_id ?? refund.id) === refund.id;
  return await settleLockedRefund(tx, family.main, isOwn ? own : await insertForeignRefund(tx, order, refund), refund);
}
