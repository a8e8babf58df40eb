import type { ProviderRefund } from '../adapters/provider-shapes.ts';
import type { Context } from '../context.ts';
import type { OrderRow } from '../tables/orders.ts';
import { findRefundIds } from '../tables/refunds.ts';
import { enterProviderRefund } from '../transactions/adopt-refund.ts';

/**
 * Settles all refunds of a paid order as the provider reports them now: those made here, and those made at the provider's dashboard.
 * Failed refunds come first, so that the refunded sum never exceeds what was paid.
 */
export async function settleRefunds({ database, payments }: Context, order: OrderRow, intentId: string): Promise<void> {
  const refunds = await payments.refundsOf(intentId);
  const own = new Set(await findRefundIds(database, order.id));
  for (const refund of [...refunds.filter(hasFailed), ...refunds.filter((other) => !hasFailed(other))]) {
    const { refundId } = refund;
    const ownId = refundId && own.has(refundId) ? refundId : null;
    await database.transaction((tx) => enterProviderRefund(tx, order, ownId, refund));
  }
}

const hasFailed = ({ status }: ProviderRefund): boolean => status === 'failed' || status === 'canceled';
