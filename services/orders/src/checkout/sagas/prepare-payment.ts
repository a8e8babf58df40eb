import { crashPoint } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { isUnpaid } from '../../order/rules/status.ts';
import { endUnpaidOrder, releaseForOrder, reserveAgain, reserveForOrder, voucherOf } from '../../payment/index.ts';
import type { Intent } from '../../provider/adapters.ts';
import { checkMode, customerKey, Declined, descriptorOf, intentKey, rethrowAsProviderError } from '../../provider/rules.ts';
import { askForExpiring, askUnrecorded } from '../../provider/sagas.ts';
import { customerReference } from '../../provider/tables.ts';
import type { CheckoutContext } from '../context.ts';
import { type OrderToPrepare, readOrderToPrepare, recordIntent } from '../tables/placed-orders.ts';
import { holdAgain, releaseUnprepared } from '../transactions.ts';

interface PreparedPayment {
  readonly order: OrderToPrepare;
  readonly sheet: PaymentSheet;
}

/**
 * Ensures a payable order has a payment intent, and returns the order with its payment sheet. A free or ended order has nothing to pay. An
 * existing intent's sheet is read. A new intent is stored last, so that an order that was never shown can release its holds when the
 * provider fails; such an order takes its holds again first. Throws PAYMENT_PROVIDER_ERROR and UPSTREAM_UNAVAILABLE,
 * STORE_NOT_ACCEPTING_ORDERS when the provider declines the payment, and the problems of taking the holds again.
 */
export async function preparePayment(placed: OrderToPrepare, context: CheckoutContext): Promise<PreparedPayment> {
  if (placed.total_pence === 0 || !isUnpaid(placed)) return { order: placed, sheet: noSheet };
  checkMode(placed, context.mode);
  if (placed.payment_intent_id) return { order: placed, sheet: await fetchPaymentSheet(placed, context) };
  if (placed.holds_released) await takeUpOrder(placed, context);
  const { intent, attempt, providerId, ephemeralKey } = await createPayment(placed, context);
  crashPoint('orders.create.after-intent');
  const payment = {
    orderId: placed.id,
    intentId: intent.id,
    attempt,
    customerId: placed.customer_id,
    mode: context.mode,
    providerId,
    at: context.now(),
  };
  if (!(await recordIntent(context.database, payment))) return await yieldToAnother(placed, intent, context);
  crashPoint('orders.create.before-response');
  return {
    order: { ...placed, payment_intent_id: intent.id, payment_customer: providerId },
    sheet: { isPayable: true, clientSecret: intent.clientSecret, ephemeralKey },
  };
}

/** Called when another request for the order was faster, or the order has ended. Cancels our intent unless it is the order's. */
async function yieldToAnother(placed: OrderToPrepare, intent: Intent, context: CheckoutContext): Promise<PreparedPayment> {
  const order = await readOrderToPrepare(context.database, placed.id, context.mode);
  const isLost = order.payment_intent_id ? order.payment_intent_id !== intent.id : !isUnpaid(order);
  if (isLost) await context.payments.cancelIntent(intent.id);
  return await preparePayment(order, context);
}

interface CreatedPayment {
  readonly intent: Intent;
  readonly attempt: number;
  readonly providerId: string;
  readonly ephemeralKey: string;
}

async function createPayment(order: OrderToPrepare, context: CheckoutContext): Promise<CreatedPayment> {
  let providerId = order.payment_customer;
  try {
    providerId ??= await createCustomer(order, context);
    // Waits for both, so that no call is under way when the order gives back its holds.
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
      // For a currency without a published minimum, the provider decides by its exchange rate.
      if (error.code === 'amount_too_small') throw new Problem('AMOUNT_BELOW_MINIMUM', { cause: error });
      context.log.error(
        { err: error, order_id: order.id, store_id: order.store_id },
        'the payment provider declined the payment of an order',
      );
      throw new Problem('STORE_NOT_ACCEPTING_ORDERS', { message: 'The payment provider takes no payment for this store.', cause: error });
    }
    if (error instanceof Problem) await releaseUnpreparedOrder(order, providerId, context);
    throw error;
  }
}

function settledValue<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

async function createCustomer({ customer_id: customerId, customer_call }: OrderToPrepare, context: CheckoutContext): Promise<string> {
  const reference = customerReference(customerId, context.mode);
  const { made } = await askUnrecorded(context, {
    purpose: 'customer',
    reference,
    keyName: customerKey(reference),
    latest: customer_call,
    make: (key) => context.payments.createCustomer(customerId, key),
    find: (since) => context.payments.findCustomer(customerId, since),
  });
  return made.id;
}

const createIntent = (order: OrderToPrepare, customer: string, context: CheckoutContext) =>
  askUnrecorded(context, {
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
          descriptor: descriptorOf(order.store_name) ?? descriptorOf(order.order_number),
          delayedMethods: order.delayed_payment_methods,
        },
        key,
      ),
    find: async () => (await context.payments.intentsOf(customer, order.id))[0] ?? null,
  });

/** The data of the app's payment sheet; the secrets are null for an order that cannot be paid. */
interface PaymentSheet {
  readonly isPayable: boolean;
  readonly clientSecret: string | null;
  readonly ephemeralKey: string | null;
}

const noSheet: PaymentSheet = { isPayable: false, clientSecret: null, ephemeralKey: null };

async function fetchPaymentSheet(order: OrderToPrepare, context: CheckoutContext): Promise<PaymentSheet> {
  const { payment_intent_id: intentId, payment_customer: customer } = order;
  if (!intentId || !customer) return { ...noSheet, isPayable: true };
  const [intent, ephemeralKey] = await Promise.all([
    context.payments.intent(intentId),
    // The provider no longer knows the customer of a person who was erased.
    fetchEphemeralKey(context, order, customer).catch(rethrowAsProviderError),
  ]);
  return { isPayable: true, clientSecret: intent?.clientSecret ?? null, ephemeralKey };
}

/**
 * Requests for an ephemeral key within this time get the same key. Windows start at the creation of the order, so that concurrent requests
 * for a new order use one.
 */
const keyWindowMs = 600_000;

const fetchEphemeralKey = (context: CheckoutContext, { id, created_at, key_call }: OrderToPrepare, customer: string): Promise<string> =>
  askForExpiring(context, {
    purpose: 'ephemeral_key',
    reference: id,
    // Another process's clock may be behind the one that placed the order.
    keyName: `ek:${id}:${Math.max(0, Math.floor((context.now().getTime() - Date.parse(created_at)) / keyWindowMs))}`,
    latest: key_call,
    make: (key) => context.payments.ephemeralKey(customer, key),
  });

/**
 * Releases the holds of an order whose payment could not be prepared, before the response leaves: the customer may try again with another
 * key, and others may buy the last item. The order stays, for a repeat with the same key. `providerId` is the customer's id at the
 * provider; null when there is none yet.
 */
export async function releaseUnpreparedOrder(order: OrderToPrepare, providerId: string | null, context: CheckoutContext): Promise<void> {
  const { id: orderId, store_id: storeId, customer_id: customerId } = order;
  const isReleased = await context.database.transaction((tx) =>
    releaseUnprepared(tx, { storeId, orderId, customerId, mode: context.mode, providerId }),
  );
  if (isReleased) await giveBackVoucher(order, context);
}

/**
 * Releases the voucher of an order that holds nothing. A concurrent request that resumes the order takes the holds first and the voucher
 * after. If it has the holds by now, the voucher is reserved again here; otherwise that request will reserve it.
 */
async function giveBackVoucher(order: OrderToPrepare, context: CheckoutContext): Promise<void> {
  const voucher = voucherOf(order);
  if (!voucher) return;
  await releaseForOrder(voucher, context);
  const now = await readOrderToPrepare(context.database, order.id, context.mode);
  if (!now.holds_released && isUnpaid(now)) await reserveAgain(voucher, context);
}

async function cancelUnpreparedOrder(order: OrderToPrepare, context: CheckoutContext): Promise<void> {
  await context.database.transaction((tx) =>
    endUnpaidOrder(tx, {
      storeId: order.store_id,
      orderId: order.id,
      as: 'cancelled',
      title: 'The payment provider declined to create a payment for the order',
    }),
  );
  const voucher = voucherOf(order);
  if (voucher) await releaseForOrder(voucher, context);
}

/**
 * Takes an unpaid order's released holds again, then its voucher. When something is no longer available, the order holds nothing, and this
 * throws loyalty's problems, SLOT_JUST_FILLED, OUT_OF_STOCK or PROMO_LIMIT_REACHED.
 */
async function takeUpOrder(order: OrderToPrepare, context: CheckoutContext): Promise<void> {
  const { id: orderId, store_id: storeId } = order;
  const { database, untriedHoldMinutes: minutes } = context;
  try {
    await database.transaction((tx) => holdAgain(tx, { storeId, orderId, minutes }));
  } catch (error) {
    if (error instanceof Problem) await giveBackVoucher(order, context);
    throw error;
  }
  const voucher = voucherOf(order);
  try {
    if (voucher) await reserveForOrder(voucher, context);
  } catch (error) {
    if (error instanceof Problem) await releaseUnpreparedOrder(order, order.payment_customer, context);
    throw error;
  }
}
