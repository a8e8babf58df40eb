import { continuing, inSpan } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { OrderRow, orderColumns } from '../tables/orders.ts';
import { noteProviderEvent, openProviderEvents } from '../tables/provider-events.ts';
import { settleRefund } from '../tables/refunds.ts';
import { settlePayment } from './settle-payment.ts';

/** Works off recorded provider events. Each only says where to look: what counts is what the provider says now. */
export async function workProviderEvents(context: Context): Promise<void> {
  const { database, now, log } = context;
  for (const event of await openProviderEvents(database, now())) {
    try {
      if (event.type.startsWith('payment_intent.')) await lookAtIntent(context, event.object_id);
      else if (event.type.startsWith('refund.')) await lookAtRefund(context, event.object_id);
      await noteProviderEvent(database, event.id, now());
    } catch (error) {
      log.warn({ err: error, type: event.type }, 'a provider event failed: trying it again');
      await noteProviderEvent(database, event.id, null);
    }
  }
}

/** An intent that is of no order of ours is somebody else's business. */
async function lookAtIntent(context: Context, intentId: string): Promise<void> {
  const intent = await context.payments.intent(intentId);
  if (!intent?.orderId) return;
  const order = await context.database.maybeOne(
    sql.prepared('order-of-intent', OrderRow)`select ${orderColumns} from orders o where o.id = ${intent.orderId}`,
  );
  // The event came from nobody's request: what follows belongs to the order's own trace.
  if (order)
    await inSpan('settle payment', { parent: continuing(order.traceparent ?? undefined) }, () => settlePayment(context, order, intent));
}

async function lookAtRefund(context: Context, providerRefundId: string): Promise<void> {
  const refund = await context.payments.refundById(providerRefundId);
  if (!refund.refundId) return;
  const ours = await context.database.maybeOne(sql.prepared('refund-of-provider', z.object({ id: z.string(), store_id: z.string() }))`
    select id, store_id from refund where id = ${refund.refundId}`);
  if (ours) await context.database.transaction((tx) => settleRefund(tx, ours.store_id, ours.id, refund, context.now()));
}
