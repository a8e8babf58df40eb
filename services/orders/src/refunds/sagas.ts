import { crashPoint } from '@corner/chassis';
import type { Context } from '../context.ts';
import { findDisputes } from '../disputes/index.ts';
import { findOrder, type OrderRow } from '../order/tables/orders.ts';
import { Declined, Unanswered } from '../provider/adapters/provider-errors.ts';
import { isOfOtherMode, type ProviderOutcome, refundKey, reversalKey } from '../provider/rules.ts';
import { askProvider, askUnrecorded } from '../provider/sagas.ts';
import { refundReference, suffixOf } from '../provider/tables.ts';
import type { ProviderRefund } from './adapters.ts';
import { isOwed } from './rules/attempts.ts';
import { isRecorded } from './rules/outcomes.ts';
import { coverRefund, coverReversal, findRefund, findRefunds, type RefundRow } from './tables.ts';
import { recordProviderRefund, recordRefundOutcome, recordReversal, rejectRefund } from './transactions/record-outcome.ts';
import { reduceOwedRefund } from './transactions/reserve-refund.ts';

/**
 * Has the provider make a reserved refund, once, and records its outcome. Returns the refund as it is then: still pending without a usable
 * response. An order that cost nothing is refunded without the provider. Where the platform covers refunds, it pays one that the store's
 * account cannot. When a refund that the service owes is declined, it stays pending and a job asks again, for what is left of the payment,
 * until nothing is left or the bank has decided a dispute. `known` is the paid order, where the caller has read it.
 */
export async function refundAtProvider(context: Context, refund: RefundRow, known?: OrderRow): Promise<RefundRow> {
  const { database } = context;
  const order = known ?? (await findOrder(database, refund.store_id, refund.payment_order_id));
  if (!order) throw new Error(`refund ${refund.id} has no order`);
  // It stays pending: the provider knows the payment in its other mode alone.
  if (isOfOtherMode(order.payment_mode, context.mode)) return refund;
  try {
    await reverseMissing(context, order, refund);
    const outcome = await requestRefund(context, order, refund);
    crashPoint('orders.refund.after-provider');
    const recorded = await database.transaction((tx) => recordRefundOutcome(tx, refund, outcome));
    // Another refund of the provider was recorded for this attempt meanwhile: it made two, and the second is recorded as well.
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
 * Earlier refunds took money from the store's transfer and then failed: this takes what they do not cover of the next one. It comes before
 * the refund: if the store's account cannot pay, no money has moved yet.
 */
async function reverseMissing(context: Context, order: OrderRow, refund: RefundRow): Promise<void> {
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

async function requestRefund(context: Context, order: OrderRow, refund: RefundRow): Promise<ProviderOutcome> {
  const { refunds } = context;
  const { payment_intent_id: intentId } = order;
  // The provider refunds no amount of nothing.
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
 * How the bank decided a dispute of the payment; null while it has not. After a lost one the customer has the money; after a won one the
 * provider refunds the payment no more.
 */
const decisionOfBank = async ({ database }: Context, order: OrderRow): Promise<'won' | 'lost' | null> => {
  const states = (await findDisputes(database, order.id)).map(({ state }) => state);
  return (['lost', 'won'] as const).find((decision) => states.includes(decision)) ?? null;
};

/** The store's account may be unable to give back its share. A refund borne by the platform is another request, under another key. */
async function handleDeclined(context: Context, order: OrderRow, refund: RefundRow, declined: Declined): Promise<RefundRow> {
  const { database, log } = context;
  if (await coverRefund(database, refund.id))
    return await refundAtProvider(context, { ...refund, borne_by: 'platform', call: null }, order);
  const decision = isOwed(refund) ? await decisionOfBank(context, order) : null;
  if (isOwed(refund)) {
    // A refund at the dashboard that no event reported yet may have left less, or nothing.
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
  // The reply says so, unless it was given before: a refund that was read, not just inserted, has no `call`.
  const announced = refund.call === undefined && (!isOwed(refund) || decision === 'won');
  if (await database.transaction((tx) => rejectRefund(tx, refund, declined.message, announced))) return { ...refund, status: 'rejected' };
  return (await findRefund(database, refund.id)) ?? refund;
}

/**
 * Brings a paid order to the state of its refunds at the provider, those made at its dashboard included. Failed refunds come first, so that
 * the refunded sum never exceeds what was paid. A refund that is recorded already takes no transaction.
 */
export async function applyRefunds({ database, refunds }: Context, order: OrderRow, intentId: string): Promise<void> {
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
