import type { Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { fulfilmentMove } from '../rules/transitions.ts';
import { moveOrder } from '../tables/move-order.ts';
import { lockFamily, viewOf } from '../tables/orders.ts';

/** Moves a collect order along. The same status again changes nothing, not even a time. */
export const advanceFulfilment: Operation<typeof orders.advanceFulfilment, Context> = async ({ caller, params, body }, { database, now }) =>
  await database.transaction(async (tx) => {
    const family = await lockFamily(tx, body.store_id, params.orderId);
    if (!family) throw new Problem('ORDER_NOT_FOUND');
    const { named } = family;
    if (named.order_type !== 'collect') throw new Problem('FULFILMENT_NOT_APPLICABLE');
    if (named.payment_status !== 'paid') throw new Problem('ORDER_NOT_PAID');
    const move = fulfilmentMove(named, body.to_status);
    if (!move) return { order: viewOf(named) };
    return { order: viewOf(await moveOrder(tx, family, move, { at: now(), actor: caller.name, note: null })) };
  });
