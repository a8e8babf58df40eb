import { crashPoint } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { isUnpaid } from '../../order/rules/order-status.ts';
import { recordIntent } from '../../order/tables/order-payments.ts';
import { Declined, type Intent } from '../../provider/adapters.ts';
import { customerKey, intentKey } from '../../provider/rules.ts';
import { askForExpiring, askUnsettled } from '../../provider/sagas.ts';
import { type Placed, readPlaced } from '../tables/checkout-data.ts';
import { cancelUnpreparedOrder, releaseUnpreparedOrder, takeUpOrder } from './unprepared-order.ts';

/** An order with the payment sheet that pays it. */
export interface PreparedPayment {
  readonly order: Placed;
  readonly sheet: PaymentSheet;
}

/**
 * Ensures a payable order has a payment intent, and returns the order with its payment sheet. The intent is stored last, so an order
 * with an intent may have been shown to its customer, and one without never was: when the provider fails before that, the order gives
 * back what it holds, and a repeat takes it again. Throws PAYMENT_PROVIDER_ERROR, and the problems of taking it again.
 */
export async function preparePayment(placed: Placed, context: Context): Promise<PreparedPayment> {
  if (placed.total_pence === 0 || !isUnpaid(placed)) return { order: placed, sheet: noSheet };
  if (placed.payment_intent_id) return { order: placed, sheet: await fetchPaymentSheet(placed, context) };
  if (placed.holds_released) await takeUpOrder(placed, context);
  const { intent, attempt, providerId, ephemeralKey } = await createPayment(placed, context);
  crashPoint('orders.create.after-intent');
  const payment = { orderId: placed.id, intentId: intent.id, attempt, customerId: placed.customer_id, providerId, at: context.now() };
  if (!(await recordIntent(context.database, payment))) return await yieldToAnother(placed, intent, context);
  crashPoint('orders.create.before-response');
  return {
    order: { ...placed, payment_intent_id: intent.id, payment_customer: providerId },
    sheet: { isPayable: true, clientSecret: intent.clientSecret, ephemeralKey },
  };
}

/** Another request for the order was faster, or it has ended. An intent of ours that is not the order's is cancelled. */
async function yieldToAnother(placed: Placed, intent: Intent, context: Context): Promise<PreparedPayment> {
  const order = await readPlaced(context.database, placed.id);
  const isLost = order.payment_intent_id ? order.payment_intent_id !== intent.id : !isUnpaid(order);
  if (isLost) await context.payments.cancelIntent(intent.id);
  return await preparePayment(order, context);
}

interface CreatedPayment {
  readonly intent: Intent;
  /** The attempt that created the intent. */
  readonly attempt: number;
  /** The customer's id at the provider. */
  readonly providerId: string;
  readonly ephemeralKey: string;
}

async function createPayment(order: Placed, context: Context): Promise<CreatedPayment> {
  let providerId = order.payment_customer;
  try {
    providerId ??= await createCustomer(order, context);
    // Both to their end, so that nothing is under way when the order gives back what it holds.
    const [intent, ephemeralKey] = await Promise.allSettled([
      createIntent(order, providerId, context),
      fetchEphemeralKey(context, order, providerId),
    ]);
    const { made, call } = settledValue(intent);
    return { intent: made, attempt: call.attempt, providerId, ephemeralKey: settledValue(ephemeralKey) };
  } catch (error) {
    if (error instanceof Declined) {
      // A retry would be declined too.
      await cancelUnpreparedOrder(order, context);
      // Of a currency without a published minimum, the provider decides by its rate of exchange.
      throw new Problem(error.code === 'amount_too_small' ? 'AMOUNT_BELOW_MINIMUM' : 'PAYMENT_PROVIDER_ERROR', { cause: error });
    }
    if (error instanceof Problem) await releaseUnpreparedOrder(order, providerId, context);
    throw error;
  }
}

function settledValue<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

async function createCustomer({ customer_id: customerId, customer_call }: Placed, context: Context): Promise<string> {
  const { made } = await askUnsettled(context, {
    purpose: 'customer',
    reference: customerId,
    keyName: customerKey(customerId),
    latest: customer_call,
    make: (key) => context.payments.createCustomer(customerId, key),
    find: (since) => context.payments.findCustomer(customerId, since),
  });
  return made.id;
}

const createIntent = (order: Placed, customer: string, context: Context) =>
  askUnsettled(context, {
    purpose: 'intent',
    reference: order.id,
    keyName: intentKey(order.id),
    latest: order.intent_call,
    make: (key) =>
      context.payments.createIntent(
        {
          orderId: order.id,
          storeId: order.store_id,
          amountPence: order.total_pence,
          currency: order.currency,
          customer,
          destination: order.connected_account_id,
          feePence: order.application_fee_pence,
          onBehalfOf: order.on_behalf_of,
        },
        key,
      ),
    find: async () => (await context.payments.intentsOf(customer, order.id))[0] ?? null,
  });

/** What the payment sheet of the app needs; the secrets are null for an order that cannot be paid. */
export interface PaymentSheet {
  readonly isPayable: boolean;
  readonly clientSecret: string | null;
  readonly ephemeralKey: string | null;
}

const noSheet: PaymentSheet = { isPayable: false, clientSecret: null, ephemeralKey: null };

/** Fetches the secrets of the payment sheet of an order with an intent. They are fetched for each response and never stored. */
async function fetchPaymentSheet(order: Placed, context: Context): Promise<PaymentSheet> {
  const { payment_intent_id: intentId, payment_customer: customer } = order;
  if (!intentId || !customer) return { ...noSheet, isPayable: true };
  const [intent, ephemeralKey] = await Promise.all([context.payments.intent(intentId), fetchEphemeralKey(context, order, customer)]);
  return { isPayable: true, clientSecret: intent?.clientSecret ?? null, ephemeralKey };
}

/**
 * Requests for an ephemeral key within this time get the same key. Windows are counted from the order's beginning, so that concurrent requests for a new
 * order never see two.
 */
const keyWindowMs = 600_000;

/** Has the provider create a key for the payment sheet. */
const fetchEphemeralKey = (context: Context, { id, created_at, key_call }: Placed, customer: string): Promise<string> =>
  askForExpiring(context, {
    purpose: 'ephemeral_key',
    reference: id,
    // Another process's clock may be behind the one that placed the order.
    keyName: `ek:${id}:${Math.max(0, Math.floor((context.now().getTime() - Date.parse(created_at)) / keyWindowMs))}`,
    latest: key_call,
    make: (key) => context.payments.ephemeralKey(customer, key),
  });
