import { crashPoint, type Operation, RpcUnavailable } from '@corner/chassis';
import { awardOrder, marketingAsk, type orders, Problem, type RpcOutput } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { settlePayment } from '../sagas/settle-payment.ts';
import { childOf, findLegs, OrderRow, orderColumns, statusOf } from '../tables/orders.ts';

type Confirm = Operation<typeof orders.confirmOrder, Context>;

/**
 * Confirms an order after the payment sheet: looks the intent up at the provider, marks the order paid once, and asks loyalty
 * for its stamps. When nobody answers, the event brings them later and their fields are left out.
 */
export const confirmOrder: Confirm = async ({ caller, body }, context) => {
  const found = await findByIntent(context, body.store_id, caller.id, body.payment_intent_id);
  if (!found) throw new Problem('ORDER_NOT_FOUND');
  const intent = await context.payments.intent(body.payment_intent_id);
  if (!intent) throw new Problem('PAYMENT_INTENT_NOT_ON_PLATFORM');
  crashPoint('orders.confirm.after-retrieve');
  const order = await settlePayment(context, found, intent);
  if (order.payment_status !== 'paid') {
    throw new Problem('PAYMENT_NOT_SUCCEEDED', {
      message: `The payment is ${intent.status.replaceAll('_', ' ')}.`,
      ...(intent.status === 'processing' ? { retryAfterSeconds: 2 } : {}),
    });
  }
  crashPoint('orders.confirm.after-paid');
  const [award, ask, legs] = await Promise.all([
    awardOf(order, context),
    askFor(order, context),
    findLegs(context.database, order.store_id, order.id),
  ]);
  return {
    order_id: order.id,
    order_number: order.order_number,
    status: statusOf(order),
    payment_intent_id: body.payment_intent_id,
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
    ask_marketing_opt_in: ask,
    ...(legs.length > 0 ? { children: legs.map(childOf) } : {}),
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

type Award = RpcOutput<typeof awardOrder>;
const Found = OrderRow.extend({ welcome_message: z.string().nullable() });

const findByIntent = ({ database }: Context, storeId: string, customerId: string, intentId: string) =>
  database.maybeOne(sql.prepared('find-by-intent', Found)`
    select ${orderColumns}, s.welcome_message
    from orders o join store s on s.id = o.store_id
    where o.payment_intent_id = ${intentId} and o.store_id = ${storeId} and o.customer_id = ${customerId}`);

/** What loyalty answered the first time, or answers now. Undefined when it does not answer. */
async function awardOf(order: OrderRow, { call, database }: Context): Promise<Award | undefined> {
  if (order.award) return order.award as Award;
  // A payment that came when its order was gone earns nothing: it is on its way back.
  if (order.is_first === null) return undefined;
  try {
    const award = await call(awardOrder, {
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
    // Kept once: two confirms at the same time answer what was kept.
    const { kept } = await database.one(sql.prepared('keep-award', z.object({ kept: z.unknown() }))`
      update orders set award = coalesce(award, ${sql.jsonb(award as never)}) where id = ${order.id} returning award as kept`);
    return kept as Award;
  } catch (error) {
    if (error instanceof RpcUnavailable) return undefined;
    throw error;
  }
}

async function askFor(order: OrderRow, { call }: Context): Promise<boolean | null> {
  try {
    return (await call(marketingAsk, { customer_id: order.customer_id, store_id: order.store_id })).ask;
  } catch (error) {
    if (error instanceof RpcUnavailable || error instanceof Problem) return null;
    throw error;
  }
}
