import { Problem } from '@corner/contracts';
import { isOwnAccount, lookAtAccount } from '../accounts/index.ts';
import { applyProviderState } from '../confirmation/index.ts';
import { findPayableOrderByIntent, type PayableOrder } from '../payment/index.ts';
import { lookAtPayouts } from '../payouts/index.ts';
import type { EventsContext } from './context.ts';
import { isAccountEvent, isPaymentEvent, isPayoutEvent } from './rules.ts';
import { countFailure, markProcessed, type ProviderEventRow } from './tables.ts';

/**
 * Processes a stored provider event, or leaves it for a later attempt. The event only names an object: its state is read from the
 * provider, so processing an event several times has one effect. `found` is the payment's order, if the caller has read it.
 */
export async function processProviderEvent(context: EventsContext, event: ProviderEventRow, found?: PayableOrder): Promise<void> {
  const { database, now, log } = context;
  try {
    if (isAccountEvent(event.type)) await lookAtOwnAccount(context, event.object_id);
    else if (isPayoutEvent(event.type)) await lookAtOwnPayouts(context, event.object_id);
    else if (await applyToOrder(context, event, found)) return;
    await markProcessed(database, event.id, now());
  } catch (error) {
    // A retry cannot make the payment match, and the mismatch has been logged as an error.
    const isFinal = error instanceof Problem && error.code === 'PAYMENT_MISMATCH';
    log.warn(
      { err: error, type: event.type },
      isFinal ? 'a provider event is not processed' : 'a provider event failed and will be retried',
    );
    await (isFinal ? markProcessed(database, event.id, now()) : countFailure(database, event.id));
  }
}

/**
 * Applies the provider's state to an event's order; an event without an order is ignored. Returns whether the change also marked the event
 * as processed.
 */
async function applyToOrder(context: EventsContext, event: ProviderEventRow, found?: PayableOrder): Promise<boolean> {
  const intentId = await intentOfEvent(context, event);
  const order = found ?? (intentId && (await findPayableOrderByIntent(context.database, intentId)));
  if (!order || !intentId) return false;
  return await applyProviderState(context, order, intentId, {
    refunds: event.type.startsWith('refund.') || event.type === 'charge.refunded',
    disputes: event.type.startsWith('charge.dispute.'),
    eventId: event.id,
  });
}

/** Ignores accounts that no store names and that were not opened for one. */
async function lookAtOwnAccount(context: EventsContext, accountId: string): Promise<void> {
  if (await isOwnAccount(context.database, accountId)) await lookAtAccount(context, accountId);
}

/** Ignores the platform's own payouts. */
async function lookAtOwnPayouts(context: EventsContext, accountId: string): Promise<void> {
  if (await isOwnAccount(context.database, accountId)) await lookAtPayouts(context, accountId);
}

async function intentOfEvent(
  { payments, refunds, disputes }: EventsContext,
  { type, object_id }: ProviderEventRow,
): Promise<string | null> {
  if (isPaymentEvent(type)) return object_id;
  if (type.startsWith('refund.')) return (await refunds.refundById(object_id))?.intentId ?? null;
  if (type.startsWith('charge.dispute.')) return await disputes.intentOfDispute(object_id);
  return type === 'charge.refunded' ? await payments.intentOfCharge(object_id) : null;
}
