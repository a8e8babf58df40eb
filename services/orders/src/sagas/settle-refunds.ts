import { sql } from 'slonik';
import { z } from 'zod';
import type { ProviderRefund } from '../adapters/provider-shapes.ts';
import type { Context } from '../context.ts';
import { adoptRefund } from '../tables/adopt-refund.ts';
import type { OrderRow } from '../tables/orders.ts';
import { settleRefund } from '../tables/settle-refund.ts';

/**
 * Brings the refunds of a paid order to what the provider says of them now: its own, and those somebody made at the provider's
 * dashboard. What came back is seen to first, so that the sum is never more than was paid.
 */
export async function settleRefunds({ database, payments, now, newId }: Context, order: OrderRow, intentId: string): Promise<void> {
  const refunds = await payments.refundsOf(intentId);
  const own = new Set(
    await database.anyFirst(sql.prepared('refunds-of-order', z.object({ id: z.string() }))`
      select id from refund where payment_order_id = ${order.id}`),
  );
  for (const refund of [...refunds.filter(cameBack), ...refunds.filter((one) => !cameBack(one))]) {
    const { refundId } = refund;
    await database.transaction((tx) =>
      refundId && own.has(refundId)
        ? settleRefund(tx, order.store_id, refundId, refund, now())
        : adoptRefund(tx, order, refund, { id: newId(), at: now() }),
    );
  }
}

const cameBack = ({ status }: ProviderRefund): boolean => status === 'failed' || status === 'canceled';
