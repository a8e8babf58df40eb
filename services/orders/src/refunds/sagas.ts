import { crashPoint } from '@corner/chassis';
import { findDisputes } from '../disputes/index.ts';
import { findOrder, type OrderRow } from '../order/tables/orders.ts';
import { Declined, isOfOtherMode, type ProviderOutcome, refundKey, reversalKey, Unanswered } from '../provider/rules.ts';
import { askProvider, askUnrecorded } from '../provider/sagas.ts';
import { refundReference, suffixOf } from '../provider/tables.ts';
import type { ProviderRefund } from './adapters.ts';
import type { RefundsContext } from './context.ts';
import { isOwed } from './rules/attempts.ts';
import { isRecorded } from './rules/outcomes.ts';
import { coverRefund, coverReversal, findRefund, findRefunds, type RefundRow } from './tables.ts';
import { recordProviderRefund, recordRefundOutcome, recordReversal, rejectRefund } from './transactions/record-outcome.ts';
import { reduceOwedRefund } from './transactions/reserve-refund.ts';

/**
 * Has the provider make a reserved refund, once, and records its outcome. Returns the refund, which is still pending without a usable
 * response. A free order is refunded without the provider. Where the platform covers refunds, it pays one that the store's account cannot.
 * An owed refund that is declined stays pending, and a job repeats it for the rest of the payment, until nothing is left or the bank has
 * decided a dispute. `known` is the paid order, if the caller has read it.
 */
export async function refundAtProvider(context: RefundsContext, refund: RefundRow, known?: OrderRow): Promise<RefundRow> {
  const { database } = context;
  const order = known ?? (await findOrder(database, refund.store_id, refund.payment_order_id));
  if (!order) throw new Error(`refund ${refund.id} has no order`);
  // It stays pending: the payment exists only in the provider's other mode.
  if (isOfOtherMode(order.payment_mode, context.mode)) return refund;
  try {
    await reverseMissing(context, order, refund);
    const outcome = await requestRefund(context, order, refund);
    crashPoint('orders.refund.after-provider');
    const recorded = await database.transaction((tx) => recordRefundOutcome(tx, refund, outcome));
    // The provider made two refunds for this attempt: the other one was recorded meanwhile, and this one is recorded as well.
    if (recorded?.provider_refund_id !== outcome.id && order.payment_intent_id) await applyRefunds(context, order, order.payment_intent_id);
    return recorded ?? refund;
  } catch (error) {
    if (error instanceof Declined) return await handleDeclined(context, order, refund, error);
    if (error instanceof Unanswered) {
      context.log.warn({ err: error, refund_id: refund.id }, 'a refund stays pending: the payment provider did not respond');
      return refund;
    }
    throw error;
  }
}

/**
 * Failed refunds may have taken money from the store's transfer: this reverses only the part of the next refund that they do not cover. It
 * runs before the refund: if the store's account cannot pay, no money has moved yet.
 */
async function reverseMissing(context: RefundsContext, order: OrderRow, refund: RefundRow): Promise<void> {
  const { transfers, database } = context;
  const amountPence = refund.to_reverse_pence - refund.reversed_pence;
  const transfer = amountPence > 0 && order.payment_intent_id ? await transfers.transferOf(order.payment_intent_id) : null;
  if (!transfer) return;
  const madeFor = { kind: 'refund', id: refund.id } as const;
  const request = { madeFor, orderId: order.id, amountPence, withFee: order.application_fee_pence > 0 };
  let reversal: { readonly id: string };
  try {
    reversal = await askProvider(context, {
      purpose: 'transfer_reversal',
      reference: refund.id,
      keyName: reversalKey(refund.id),
      make: (key) => transfers.reverseTransfer(transfer.id, request, key),
      find: async () => (await transfers.reversalsOf(transfer.id)).find((one) => one.madeFor === refund.id) ?? null,
    });
  } catch (error) {
    if (error instanceof Declined && (await coverReversal(database, refund.id))) return;
    throw error;
  }
  await database.transaction((tx) => recordReversal(tx, order, refund, { id: reversal.id, amountPence }));
}

async function requestRefund(context: RefundsContext, order: OrderRow, refund: RefundRow): Promise<ProviderOutcome> {
  const { refunds } = context;
  const { payment_intent_id: intentId } = order;
  // The provider cannot refund an amount of nothing.
  if (!intentId || refund.amount_pence === 0) return { id: `rf_${refund.id}`, status: 'succeeded' };
  const { made } = await askUnrecorded(context, {
    purpose: 'refund',
    reference: refundReference(refund.id, refund.borne_by),
    keyName: `${refundKey(order.id, refund.attempt)}${suffixOf(refund.borne_by)}`,
    latest: refund.call,
    make: (key) =>
      refunds.refund(
        {
          refundId: refund.id,
          orderId: order.id,
          intentId,
          amountPence: refund.amount_pence,
          withFee: order.application_fee_pence > 0 && refund.borne_by === 'store',
          borneBy: refund.borne_by,
        },
        key,
      ),
    find: async () => (await refunds.refundsOf(intentId)).find(({ refundId }) => refundId === refund.id) ?? null,
  });
  return made;
}

/**
 * The bank's decision on a dispute of the payment; null while open. After a lost one the customer has the money; after a won one the
 * provider no longer refunds the payment.
 */
const decisionOfBank = async ({ database }: RefundsContext, order: OrderRow): Promise<'won' | 'lost' | null> => {
  const states = (await findDisputes(database, order.id)).map(({ state }) => state);
  return (['lost', 'won'] as const).find((decision) => states.includes(decision)) ?? null;
};

/** The store's account may be unable to return its share. A refund borne by the platform is another request, under another key. */
async function handleDeclined(context: RefundsContext, order: OrderRow, refund: RefundRow, declined: Declined): Promise<RefundRow> {
  const { database, log } = context;
  if (await coverRefund(database, refund.id)) {
    // A refund that was read stays without its call: its request was answered with pending.
    const asked = refund.call === undefined ? {} : { call: null };
    return await refundAtProvider(context, { ...refund, borne_by: 'platform', ...asked }, order);
  }
  const decision = isOwed(refund) ? await decisionOfBank(context, order) : null;
  if (isOwed(refund)) {
    // A dashboard refund without an event yet may have left less, or nothing.
    if (order.payment_intent_id) await applyRefunds(context, order, order.payment_intent_id);
    const owed = await database.transaction((tx) => reduceOwedRefund(tx, refund));
    if (owed && declined.code !== 'charge_already_refunded' && decision === null) {
      log.error(
        { err: declined, refund_id: refund.id },
        'a refund that is owed was declined by the payment provider; it is asked for again',
      );
      return owed;
    }
  }
  // A request's first reply reports the refusal, so no event is needed. Only a refund that was just inserted, not read, has a `call`.
  const announced = refund.call === undefined && (!isOwed(refund) || decision === 'won');
  if (await database.transaction((tx) => rejectRefund(tx, refund, declined.message, announced))) return { ...refund, status: 'rejected' };
  return (await findRefund(database, refund.id)) ?? refund;
}

/**
 * Applies the provider's refunds of a paid order, including those made at its dashboard. Failed refunds come first, so that the refunded
 * sum never exceeds the payment. A refund that is recorded already needs no transaction.
 */
export async function applyRefunds({ database, refunds }: RefundsContext, order: OrderRow, intentId: string): Promise<void> {
  const listed = await refunds.refundsOf(intentId);
  // Read after the provider's list, so that every refund of ours on that list is found.
  const stored = await findRefunds(database, order.id);
  const isKnown = (refund: ProviderRefund) => stored.some((own) => own.provider_refund_id === refund.id && isRecorded(own, refund));
  for (const refund of [...listed.filter(hasFailed), ...listed.filter((other) => !hasFailed(other))]) {
    if (isKnown(refund)) continue;
    const ownId = stored.find(({ id }) => id === refund.refundId)?.id ?? null;
    await database.transaction((tx) => recordProviderRefund(tx, order, ownId, refund));
  }
}

const hasFailed = ({ status }: ProviderRefund): boolean => status === 'failed' || status === 'canceled';
