import { crashPoint } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { findDisputes } from '../disputes/index.ts';
import { findOrder, type OrderRow } from '../order/tables/orders.ts';
import { Declined, type ProviderRefund } from '../provider/adapters.ts';
import { type ProviderOutcome, refundKey, reversalKey } from '../provider/rules.ts';
import { askProvider, askUnsettled } from '../provider/sagas.ts';
import { isOwed, settlementOf } from './rules.ts';
import { coverRefund, coverReversal, findRefund, findRefunds, type RefundRow } from './tables.ts';
import { enterProviderRefund, noteReversal, reduceOwedRefund, rejectRefund, settleRefund } from './transactions/settle-refund.ts';

/**
 * Has the provider make a reserved refund, once, and stores its response. Returns the updated refund: still pending when the provider gave
 * no usable response. An order that cost nothing is refunded without the provider. Where the platform covers refunds, it pays a refund that
 * the store's account cannot. A refund that the service owes stays pending when it is declined, and is asked for again later, for no more
 * than what is left, until the customer has the money by a lost dispute. `known` is the order whose payment is refunded, where the caller has read it.
 */
export async function refundAtProvider(context: Context, refund: RefundRow, known?: OrderRow): Promise<RefundRow> {
  const { database } = context;
  const order = known ?? (await findOrder(database, refund.store_id, refund.payment_order_id));
  if (!order) throw new Error(`refund ${refund.id} has no order`);
  try {
    await reverseMissing(context, order, refund);
    const outcome = await requestRefund(context, order, refund);
    crashPoint('orders.refund.after-provider');
    const settled = await database.transaction((tx) => settleRefund(tx, refund, outcome));
    // An earlier attempt was entered meanwhile, so the provider made two.
    if (settled?.provider_refund_id !== outcome.id && order.payment_intent_id) await settleRefunds(context, order, order.payment_intent_id);
    return settled ?? refund;
  } catch (error) {
    if (error instanceof Declined) return await handleDeclined(context, order, refund, error);
    if (error instanceof Problem && error.code === 'PAYMENT_PROVIDER_ERROR') {
      context.log.warn({ err: error, refund_id: refund.id }, 'a refund stays pending: the payment provider did not respond');
      return refund;
    }
    throw error;
  }
}

/**
 * Reverses the store's transfer for the part of a refund that no failed refund had reversed, before the refund is made: when the store's
 * account cannot, no money has moved yet.
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
  await database.transaction((tx) => noteReversal(tx, order, refund, { id: reversal.id, amountPence }));
}

async function requestRefund(context: Context, order: OrderRow, refund: RefundRow): Promise<ProviderOutcome> {
  const { payments } = context;
  const { payment_intent_id: intentId } = order;
  if (!intentId) return { id: `rf_${refund.id}`, status: 'succeeded' };
  // A refund borne by the platform is another request than the one the provider declined.
  const suffix = refund.borne_by === 'platform' ? ':platform' : '';
  const { made } = await askUnsettled(context, {
    purpose: 'refund',
    reference: `${refund.id}${suffix}`,
    keyName: `${refundKey(order.id, refund.attempt)}${suffix}`,
    latest: refund.call,
    make: (key) =>
      payments.refund(
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
    find: async () => (await payments.refundsOf(intentId)).find(({ refundId }) => refundId === refund.id) ?? null,
  });
  return made;
}

/** After a lost dispute the customer has the money. */
const isDisputeLost = async ({ database }: Context, order: OrderRow): Promise<boolean> =>
  (await findDisputes(database, order.id)).some(({ state }) => state === 'lost');

/** The store's account may be unable to give back its share. A refund borne by the platform is another request, under another key. */
async function handleDeclined(context: Context, order: OrderRow, refund: RefundRow, declined: Declined): Promise<RefundRow> {
  const { database, log } = context;
  if (await coverRefund(database, refund.id))
    return await refundAtProvider(context, { ...refund, borne_by: 'platform', call: null }, order);
  if (isOwed(refund)) {
    // A refund at the dashboard that no event reported yet may have left less, or nothing.
    if (order.payment_intent_id) await settleRefunds(context, order, order.payment_intent_id);
    const owed = await database.transaction((tx) => reduceOwedRefund(tx, refund));
    if (owed && declined.code !== 'charge_already_refunded' && !(await isDisputeLost(context, order))) {
      log.error(
        { err: declined, refund_id: refund.id },
        'a refund that is owed was declined by the payment provider; it is asked for again',
      );
      return owed;
    }
  }
  if (await database.transaction((tx) => rejectRefund(tx, refund, declined.message))) return { ...refund, status: 'rejected' };
  return (await findRefund(database, refund.id)) ?? refund;
}

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
