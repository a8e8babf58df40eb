import { continuing, crashPoint, inSpan, measure } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { applyDisputes } from '../disputes/index.ts';
import { isUnpaid } from '../order/rules/status.ts';
import { findMainOrder, type OrderRow } from '../order/tables/orders.ts';
import { findPayableOrder, type PayableOrder, releaseForOrder, reserveAgain, voucherOf } from '../payment/index.ts';
import type { Intent } from '../provider/adapters.ts';
import { isOfOtherMode } from '../provider/rules.ts';
import { lookLater, type ProviderCall, refundIdOf } from '../provider/tables.ts';
import { applyRefunds, findRefund, refundAtProvider } from '../refunds/index.ts';
import type { ConfirmationContext } from './context.ts';
import { paymentMismatch } from './rules.ts';
import { findPaymentCustomer, markAttempted } from './tables.ts';
import { markPaid } from './transactions.ts';

interface Wanted {
  readonly refunds: boolean;
  readonly disputes: boolean;
  readonly eventId: string | null;
}

/**
 * Applies the provider's state of a payment to its order, with refunds and disputes if wanted. Returns whether the event was marked as
 * processed with it. Throws PAYMENT_MISMATCH and PAYMENT_PROVIDER_ERROR.
 */
export async function applyProviderState(
  context: ConfirmationContext,
  found: PayableOrder,
  intentId: string,
  wanted: Wanted,
): Promise<boolean> {
  const { refunds, disputes, eventId } = wanted;
  // Provider events carry no trace, so their spans join the order's trace.
  return await inSpan('apply provider state', { parent: continuing(found.traceparent ?? undefined) }, async () => {
    // The payment comes first: events can arrive out of order, and only a paid order is refunded or disputed. A paid order stays paid.
    // With refunds or disputes to apply, the event is processed only after them.
    const applied: AppliedIntent | null =
      found.payment_status === 'paid'
        ? { order: found, processed: [] }
        : await syncPayment(context, found, intentId, refunds || disputes ? null : eventId);
    if (applied && refunds) await applyRefunds(context, applied.order, intentId);
    if (applied && disputes) await applyDisputes(context, applied.order, intentId);
    return eventId !== null && (applied?.processed.includes(eventId) ?? false);
  });
}

interface SyncedPayment extends AppliedIntent {
  readonly intentStatus: string;
}

/**
 * Reads the intent of an unpaid order from the provider, and brings the order to its state. Null when the provider does not know the
 * intent. Throws PAYMENT_MISMATCH and PAYMENT_PROVIDER_ERROR.
 *
 * The webhook and the confirmation of a payment often come at once. The second one in this process waits for the first, and returns
 * its result if that is `paid`, which is final; its event is then processed with the first, if it came before the statement. After any other
 * result it reads the intent itself: the first may have read it too early.
 * Across processes the statement that marks the order paid decides.
 */
export async function syncPayment(
  context: ConfirmationContext,
  order: PayableOrder,
  intentId: string,
  eventId: string | null,
): Promise<SyncedPayment | null> {
  const eventIds = eventId === null ? [] : [eventId];
  const first = context.paymentsInSync.get(intentId);
  if (first !== undefined) {
    first.eventIds.push(...eventIds);
    const synced = await (first.result as Promise<SyncedPayment | null>).catch(() => null);
    return synced?.order.payment_status === 'paid' ? synced : await readAndApply(context, order, intentId, eventIds);
  }
  const result = readAndApply(context, order, intentId, eventIds);
  context.paymentsInSync.set(intentId, { result, eventIds });
  try {
    return await result;
  } finally {
    context.paymentsInSync.delete(intentId);
  }
}

async function readAndApply(
  context: ConfirmationContext,
  order: PayableOrder,
  intentId: string,
  eventIds: readonly string[],
): Promise<SyncedPayment | null> {
  const intent = await context.payments.intent(intentId);
  if (!intent) return null;
  crashPoint('orders.payment.after-retrieve');
  return { ...(await applyIntent(context, order, intent, eventIds)), intentStatus: intent.status };
}

export interface AppliedIntent {
  readonly order: PayableOrder;
  readonly processed: readonly string[];
}

/**
 * Applies the state of an intent to its order: paid, declined, tried, or unchanged. A late payment is refunded. `eventIds` names the
 * provider's events that reported it; the statement that marks the order paid marks them processed. Throws PAYMENT_MISMATCH.
 */
export async function applyIntent(
  context: ConfirmationContext,
  order: PayableOrder,
  intent: Intent,
  eventIds: readonly string[] = [],
): Promise<AppliedIntent> {
  checkPayment(context, order, intent);
  if (intent.status === 'succeeded') return await recordPayment(context, order, intent, eventIds);
  const isDeclined = intent.status === 'requires_payment_method' && intent.chargeId !== null;
  const isNew = isDeclined ? order.payment_status === 'pending_payment' : triedStatuses.includes(intent.status) && !order.payment_attempted;
  if (isUnpaid(order) && isNew) {
    const moreMinutes = context.holdMinutes - context.untriedHoldMinutes;
    const isNoted = await markAttempted(context.database, { orderId: order.id, isDeclined, moreMinutes }, context.now());
    if (isNoted) measure('corner.payments.ended', 1, { 'corner.outcome': 'refused' });
  }
  return { order, processed: [] };
}

const triedStatuses = ['processing', 'requires_action', 'requires_capture'];

export function checkPayment({ log }: ConfirmationContext, order: OrderRow, intent: Intent): void {
  const mismatch = paymentMismatch(order, intent);
  if (!mismatch) return;
  log.error({ order_id: order.id, mismatch }, 'a payment does not match its order');
  throw new Problem('PAYMENT_MISMATCH', { message: `The payment does not match the order: ${mismatch}.` });
}

/** Marks the order paid. An expired order's voucher is reserved again first: loyalty must not be called under the order's lock. */
async function recordPayment(
  context: ConfirmationContext,
  order: PayableOrder,
  intent: Intent,
  reportedBy: readonly string[],
): Promise<AppliedIntent> {
  const { database, log } = context;
  const isExpired = order.payment_status === 'expired';
  const voucher = isExpired ? voucherOf(order) : null;
  const voucherIsGone = isExpired ? voucher !== null && !(await reserveAgain(voucher, context)) : null;
  // Copied now: more events may come while the statement runs.
  const eventIds = [...reportedBy];
  const charge = { storeId: order.store_id, orderId: order.id, intentId: intent.id, amountPence: intent.amountPence, eventIds };
  const paid = await markPaid(database, order, { ...charge, voucherIsGone }, context.now());
  if (paid === 'expired') {
    const expired = await findPayableOrder(database, charge);
    return expired ? await recordPayment(context, expired, intent, reportedBy) : { order, processed: [] };
  }
  if (paid?.paidNow) measure('corner.payments.ended', 1, { 'corner.outcome': 'ok' });
  if (!paid?.refund) return { order: paid?.order ?? order, processed: paid?.paidNow ? eventIds : [] };
  log.warn({ order_id: order.id }, 'a payment came after its order had ended: it is refunded');
  if (voucher && !voucherIsGone) await releaseForOrder(voucher, context);
  await refundAtProvider(context, paid.refund, paid.order);
  return { order: (await findPayableOrder(database, charge)) ?? paid.order, processed: [] };
}

/** After this time the provider has forgotten the key, so nothing can appear under it. */
const lastLookMs = 25 * 3_600_000;

/**
 * Looks for objects that the provider may have created although its response was an error or lost: an intent that does not belong to its
 * order is cancelled, a payment of an ended order is applied, and a refund is recorded. Repeated with backoff for a day.
 */
export async function lookForUnanswered(context: ConfirmationContext, call: ProviderCall): Promise<void> {
  if (call.purpose === 'intent') await applyFoundIntents(context, call);
  if (call.purpose === 'refund') await applyFoundRefunds(context, call.reference);
  const now = context.now();
  const ageMs = now.getTime() - Date.parse(call.created_at);
  await lookLater(context.database, call, ageMs > lastLookMs ? null : new Date(now.getTime() + Math.max(ageMs, 60_000)));
}

async function applyFoundIntents(context: ConfirmationContext, { reference, created_at }: ProviderCall): Promise<void> {
  const order = await findMainOrder(context.database, reference);
  if (!order || isOfOtherMode(order.payment_mode, context.mode)) return;
  const customer =
    (await findPaymentCustomer(context.database, order.customer_id, context.mode)) ??
    (await context.payments.findCustomer(order.customer_id, new Date(created_at)))?.id;
  if (!customer) return;
  for (const intent of await context.payments.intentsOf(customer, order.id)) await applyOrCancelIntent(context, order, intent);
}

async function applyOrCancelIntent(context: ConfirmationContext, order: OrderRow, intent: Intent): Promise<void> {
  if (intent.id === order.payment_intent_id) {
    const payable = await findPayableOrder(context.database, { storeId: order.store_id, orderId: order.id });
    if (!payable) return;
    const hasEnded = !isUnpaid(payable) && payable.payment_status !== 'paid';
    // A replaced order ends before its intent is cancelled.
    await applyIntent(
      context,
      payable,
      hasEnded && intent.status !== 'succeeded' ? await context.payments.cancelIntent(intent.id) : intent,
    );
    return;
  }
  // While the order is payable and has no intent, a repeated request takes this one.
  if (!order.payment_intent_id && isUnpaid(order)) return;
  const { status } = await context.payments.cancelIntent(intent.id);
  context.log.warn({ order_id: order.id, status }, 'an intent that is not its order’s was found at the provider and cancelled');
}

async function applyFoundRefunds(context: ConfirmationContext, reference: string): Promise<void> {
  const refund = await findRefund(context.database, refundIdOf(reference));
  const order = refund && (await findMainOrder(context.database, refund.payment_order_id));
  if (order?.payment_intent_id && !isOfOtherMode(order.payment_mode, context.mode))
    await applyRefunds(context, order, order.payment_intent_id);
}
