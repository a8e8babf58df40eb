import type { Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import { Declined } from '../adapters/payments.ts';
import type { Context } from '../context.ts';
import { businessMove } from '../rules/transitions.ts';
import { settlePayment } from '../sagas/settle-payment.ts';
import { endUnpaid } from '../tables/end-unpaid.ts';
import { moveOrder } from '../tables/move-order.ts';
import { findOrder, lockFamily, type OrderRow } from '../tables/orders.ts';

type SetStatus = Operation<typeof orders.setBusinessStatus, Context>;
type Request = Parameters<SetStatus>[0];

/**
 * Sets the business status of an order. The same status again changes nothing. Cancelling frees what is held and moves no money:
 * of an order that is not paid the payment intent is cancelled first, and one that was paid meanwhile is cancelled as a paid one.
 */
export const setBusinessStatus: SetStatus = async (request, context) => {
  const { params, body } = request;
  const found = await findOrder(context.database, body.store_id, params.orderId);
  if (!found) throw new Problem('ORDER_NOT_FOUND');
  if (body.status === 'cancelled' && isUnpaid(found)) return { order: viewOf(await cancelUnpaid(found, request, context)) };
  return { order: viewOf(await move(request, context)) };
};

const isUnpaid = ({ payment_status }: OrderRow) => payment_status === 'pending_payment' || payment_status === 'payment_failed';

async function move({ caller, params, body }: Request, { database, now }: Context): Promise<OrderRow> {
  const manages = ['owner', 'manager'].includes(caller.stores.get(body.store_id) ?? '');
  return await database.transaction(async (tx) => {
    const family = await lockFamily(tx, body.store_id, params.orderId);
    if (!family) throw new Problem('ORDER_NOT_FOUND');
    const { named } = family;
    if (body.status === 'cancelled' && named.payment_status === 'cancelled') return named;
    if (named.payment_status !== 'paid') throw new Problem('ORDER_NOT_PAID');
    const decided = businessMove(named, body.status, { note: Boolean(body.note), manages });
    if (!decided) return named;
    return await moveOrder(tx, family, decided, { at: now(), actor: caller.name, note: body.note ?? null });
  });
}

/** First it is made certain that nobody can pay any more, then what the order held is free. */
async function cancelUnpaid(order: OrderRow, request: Request, context: Context): Promise<OrderRow> {
  if (order.parent_order_id) {
    throw new Problem('ORDER_NOT_PAID', {
      message: 'A part of an order can be cancelled by itself once the order is paid; cancel the whole order.',
    });
  }
  const { database, payments, now } = context;
  const intent = order.payment_intent_id ? await payments.cancelIntent(order.payment_intent_id).catch(unknown) : null;
  if (intent?.status === 'succeeded') {
    await settlePayment(context, order, intent);
    return await move(request, context);
  }
  if (intent && intent.status !== 'canceled') {
    throw new Problem('ORDER_NOT_PAID', {
      message: 'The payment is being processed; cancel the order when it has been paid or has failed.',
    });
  }
  const { caller, body } = request;
  await database.transaction((tx) =>
    endUnpaid(tx, order.store_id, order.id, {
      as: 'cancelled',
      at: now(),
      title: 'The order was cancelled before it was paid',
      actor: caller.name,
      reason: body.note ?? null,
    }),
  );
  return (await findOrder(database, order.store_id, order.id)) ?? order;
}

/** An intent the provider neither cancels nor shows may be paid yet, for all we know. */
function unknown(error: unknown): never {
  throw error instanceof Declined ? new Problem('PAYMENT_PROVIDER_ERROR', { cause: error }) : error;
}

const viewOf = (order: OrderRow) => ({
  id: order.id,
  store_id: order.store_id,
  status: order.business_status,
  order_type: order.order_type,
  fulfilled_at: order.fulfilled_at,
  cancelled_at: order.cancelled_at,
});
