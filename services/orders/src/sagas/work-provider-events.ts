import { continuing, inSpan } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { sql } from 'slonik';
import type { Context } from '../context.ts';
import { noteDispute } from '../tables/note-dispute.ts';
import { OrderRow, orderColumns } from '../tables/orders.ts';
import { noteProviderEvent, openProviderEvents, type ProviderEventRow } from '../tables/provider-events.ts';
import { settlePayment } from './settle-payment.ts';
import { settleRefunds } from './settle-refunds.ts';

/** Works off recorded provider events. Each only says where to look: what counts is what the provider says now. */
export async function workProviderEvents(context: Context): Promise<void> {
  for (const event of await openProviderEvents(context.database, context.now())) await workProviderEvent(context, event);
}

/** Works one event off, or leaves it to be tried again. Several at once do no more than one. */
export async function workProviderEvent(context: Context, event: ProviderEventRow): Promise<void> {
  const { database, now, log } = context;
  try {
    const intentId = await intentOfEvent(context, event);
    if (intentId) await look(context, intentId, event.type);
    await noteProviderEvent(database, event.id, now());
  } catch (error) {
    // Trying again makes no payment match, and whoever found the mismatch has raised the alarm.
    const final = error instanceof Problem && error.code === 'PAYMENT_MISMATCH';
    log.warn({ err: error, type: event.type }, final ? 'a provider event is put aside' : 'a provider event failed: trying it again');
    await noteProviderEvent(database, event.id, final ? now() : null);
  }
}

/** The intent an event is about, whatever else it is about; null for what has none or is unknown to the provider. */
async function intentOfEvent({ payments }: Context, { type, object_id }: ProviderEventRow): Promise<string | null> {
  if (type.startsWith('payment_intent.')) return object_id;
  if (type.startsWith('refund.')) return (await payments.refundById(object_id))?.intentId ?? null;
  if (type.startsWith('charge.dispute.')) return await payments.intentOfDispute(object_id);
  return type === 'charge.refunded' ? await payments.intentOfCharge(object_id) : null;
}

/** An intent that pays no order of ours is somebody else's business. */
async function look(context: Context, intentId: string, type: string): Promise<void> {
  const { database, payments, now } = context;
  const found = await database.maybeOne(
    sql.prepared('order-of-intent', OrderRow)`select ${orderColumns} from orders o where o.payment_intent_id = ${intentId}`,
  );
  const intent = found && (await payments.intent(intentId));
  if (!intent) return;
  // The event came from nobody's request: what follows belongs to the order's own trace.
  await inSpan('settle payment', { parent: continuing(found.traceparent ?? undefined) }, async () => {
    // First, since events overtake each other: what is refunded or disputed was paid before.
    const order = await settlePayment(context, found, intent);
    if (type.startsWith('refund.') || type === 'charge.refunded') await settleRefunds(context, order, intentId);
    if (type.startsWith('charge.dispute.')) {
      const open = await payments.heldInDispute(intentId);
      await database.transaction((tx) => noteDispute(tx, order.store_id, order.id, { open, at: now() }));
    }
  });
}
