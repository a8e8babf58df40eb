import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { refundAtProvider } from '../sagas/refund-at-provider.ts';
import { settlePayment } from '../sagas/settle-payment.ts';
import { findOrder } from '../tables/orders.ts';
import { RefundRow, refundColumns } from '../tables/refunds.ts';
import { settleRefund } from '../tables/settle-refund.ts';

/** Seconds a payment or refund may stand open before it is asked about: the usual way is quicker. */
const patienceSeconds = 20;

const Open = z.object({ id: z.string(), store_id: z.string() });

/** Asks the provider about what stands open: a webhook may never come, and a process may die between two steps. */
export async function reconcilePayments(context: Context): Promise<void> {
  const before = new Date(context.now().getTime() - patienceSeconds * 1000).toISOString();
  // Of each only who it is, and without a limit: any number may stand open for days, and must not hide those behind them.
  const unpaid = await context.database.any(sql.prepared('orders-to-reconcile', Open)`
    select o.id, o.store_id from orders o
    where o.payment_status in ('pending_payment', 'payment_failed') and o.payment_intent_id is not null and o.created_at < ${before}
    order by o.pay_until`);
  for (const { id, store_id } of unpaid)
    await guarded(context, id, async () => {
      const order = await findOrder(context.database, store_id, id);
      const intent = order?.payment_intent_id ? await context.payments.intent(order.payment_intent_id) : null;
      if (order && intent) await settlePayment(context, order, intent);
    });
  const refunds = await context.database.any(sql.prepared('refunds-to-reconcile', RefundRow)`
    select ${refundColumns} from refund where status in ('pending', 'requires_action') and created_at < ${before} order by created_at`);
  for (const refund of refunds) await guarded(context, refund.payment_order_id, () => look(context, refund));
}

/** A refund the provider knows is looked at; one it may never have heard of is asked for again, under its own key. */
async function look(context: Context, refund: RefundRow): Promise<void> {
  const { provider_refund_id: id } = refund;
  const now = id ? await context.payments.refundById(id) : await sought(context, refund);
  if (!now && id) throw new Error(`the provider no longer knows refund ${id}`);
  if (!now) {
    await refundAtProvider(context, refund);
    return;
  }
  await context.database.transaction((tx) => settleRefund(tx, refund.store_id, refund.id, now, context.now()));
}

/** A refund whose answer was lost. The provider forgets keys after a day, but never a refund that names ours. */
async function sought({ database, payments }: Context, { store_id, payment_order_id, id }: RefundRow) {
  const order = await findOrder(database, store_id, payment_order_id);
  if (!order?.payment_intent_id) return undefined;
  return (await payments.refundsOf(order.payment_intent_id)).find(({ refundId }) => refundId === id);
}

async function guarded({ log }: Context, orderId: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn({ err: error, order_id: orderId }, 'a payment could not be reconciled yet');
  }
}
