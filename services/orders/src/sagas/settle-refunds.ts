import type { ProviderRefund } from '../adapters/provider-shapes.ts';
import type { Context } from '../context.ts';
import { settlementOf } from '../rules/refund-settlement.ts';
import type { OrderRow } from '../tables/orders.ts';
import { findRefunds } from '../tables/refunds.ts';
import { enterProviderRefund } from '../transactions/settle-refund.ts';

/**
 * Settles all refunds of a paid order as the provider reports them now: those made here, and those made at the provider's dashboard. Failed
 * refunds come first, so that the refunded sum never exceeds what was paid. A refund that is stored as the provider reports it takes no
 * transaction.
 */
export async function settleRefunds({ database, payments }: Context, order: OrderRow, intentId: string): Promise<void> {
  const refunds = await payments.refundsOf(intentId);
  // Read after the provider's list, so that every refund of ours on that list is found.
  const stored = await findRefunds(database, order.id);
  const isSettled = (refund: ProviderRefund) =>
    stored.some((own) => own.provider_refund_id === refund.id && settlementOf(order, own, refund) === null);
  for (const refund of [...refunds.filter(hasFailed), ...refunds.filter((other) => !hasFailed(other))]) {
    if (isSettled(refund)) continue;
    const ownId = stored.find(({ id }) => id === refund.refundId)?.id ?? null;
    await database.transaction((tx) => enterProviderRefund(tx, order, ownId, refund));
  }
}

const hasFailed = ({ status }: ProviderRefund): boolean => status === 'failed' || status === 'canceled';
