import { crashPoint, type Operation, RpcUnavailable } from '@corner/chassis';
import { awardOrder, marketingAsk, type orders, Problem, type RpcOutput } from '@corner/contracts';
import { childView } from '../order/rules/order-views.ts';
import { cameTooLate, orderStatus } from '../order/rules/status.ts';
import type { PayableOrder } from '../payment/index.ts';
import { checkMode } from '../provider/rules.ts';
import type { ConfirmationContext } from './context.ts';
import { syncPayment } from './sagas.ts';
import { findCustomerOrderByIntent } from './tables.ts';

type Confirm = Operation<typeof orders.confirmOrder, ConfirmationContext>;
type Award = RpcOutput<typeof awardOrder>;

/**
 * Confirms an order after the payment sheet: reads the intent, marks the order paid once, and requests its stamps. When loyalty does not
 * reply, the event order.paid awards them later, and their fields are left out.
 */
export const confirmOrder: Confirm = async ({ caller, body }, context) => {
  const { database } = context;
  const { store_id: storeId, payment_intent_id: intentId } = body;
  const found = await findCustomerOrderByIntent(database, { storeId, customerId: caller.id, intentId });
  if (!found) throw new Problem('ORDER_NOT_FOUND');
  checkMode(found, context.mode);
  // The webhook may have been faster; a paid order stays paid, so the provider need not be asked.
  const order = found.payment_status === 'paid' ? found : await syncConfirmed(context, found, intentId);
  crashPoint('orders.confirm.after-paid');
  const [award, asksMarketing] = await Promise.all([awardStamps(order, context), fetchMarketingAsk(order, context)]);
  return {
    order_id: order.id,
    order_number: order.order_number,
    status: orderStatus(order),
    payment_intent_id: intentId,
    order_type: order.order_type,
    fulfilment_status: order.fulfilment_status ?? 'pending',
    total_pence: order.total_pence,
    currency: order.currency,
    collection_code: order.collection_code,
    prep_minutes: order.prep_minutes,
    applied_voucher_id: order.voucher_id,
    applied_promo_code: order.promo_code,
    applied_promo_label: order.promo_label,
    collection_mode: order.collection_mode,
    requested_collection_at: order.requested_collection_at,
    welcome_message: found.welcome_message,
    subtotal_pence: order.subtotal_pence,
    discount_pence: order.promo_discount_pence + order.voucher_discount_pence,
    promo_discount_pence: order.promo_discount_pence,
    voucher_discount_pence: order.voucher_discount_pence,
    is_first_order: order.is_first ?? false,
    ask_marketing_opt_in: asksMarketing,
    ...(order.legs.length > 0 ? { children: order.legs.map(childView) } : {}),
    ...(award
      ? {
          loyalty_awarded: award.awarded,
          voucher_minted: award.voucher_minted,
          stamps_added: award.stamps_added,
          stamp_count: award.stamp_count,
          goal: award.goal,
          reward_title: award.reward_title,
          reward_unlock_message: award.reward_unlock_message,
        }
      : {}),
  };
};

/** Applies the intent's state to an unpaid order. Throws PAYMENT_NOT_SUCCEEDED unless it is paid then. */
async function syncConfirmed(context: ConfirmationContext, found: PayableOrder, intentId: string): Promise<PayableOrder> {
  const synced = await syncPayment(context, found, intentId, null);
  if (!synced) throw new Problem('PAYMENT_INTENT_NOT_ON_PLATFORM');
  if (synced.order.payment_status !== 'paid') throw notSucceeded(synced.intentStatus);
  return synced.order;
}

/** States of an intent that end without us or by the customer's next step, so that a repeat makes sense. */
const underWay = ['processing', 'requires_action', 'requires_confirmation'];

const notSucceeded = (intentStatus: string) =>
  new Problem('PAYMENT_NOT_SUCCEEDED', {
    message: `The payment is ${intentStatus.replaceAll('_', ' ')}.`,
    ...(underWay.includes(intentStatus) ? { retryAfterSeconds: 2 } : {}),
  });

async function awardStamps(order: PayableOrder, { call }: ConfirmationContext): Promise<Award | undefined> {
  // A payment that came too late earns nothing: it is being refunded.
  if (cameTooLate(order)) return undefined;
  try {
    return await call(awardOrder, {
      order_id: order.id,
      store_id: order.store_id,
      customer_id: order.customer_id,
      paid_at: order.paid_at ?? '',
      total_pence: order.total_pence,
      net_of_tip_pence: order.total_pence - order.tip_pence,
      currency: order.currency,
      voucher_id: order.voucher_id,
      is_first: order.is_first ?? false,
    });
  } catch (error) {
    if (error instanceof RpcUnavailable) return undefined;
    throw error;
  }
}

async function fetchMarketingAsk(order: PayableOrder, { call }: ConfirmationContext): Promise<boolean | null> {
  try {
    return (await call(marketingAsk, { customer_id: order.customer_id, store_id: order.store_id })).ask;
  } catch (error) {
    if (error instanceof RpcUnavailable || error instanceof Problem) return null;
    throw error;
  }
}
