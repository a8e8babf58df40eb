import type { Transaction } from '@corner/chassis';
import { type FulfilmentStatus, Problem } from '@corner/contracts';
import { orderNotPaid } from '../../order/rules/order-status.ts';
import { businessMove, fulfilmentMove } from '../../order/rules/transitions.ts';
import { lockFamily } from '../../order/tables/order-family.ts';
import type { OrderRow } from '../../order/tables/orders.ts';
import { moveOrder } from './move-order.ts';

export interface FulfilmentChange {
  readonly storeId: string;
  readonly orderId: string;
  readonly to: FulfilmentStatus;
  /** Name shown in the log. */
  readonly actor: string | null;
}

/**
 * Moves a collect order to the next fulfilment status, and returns it. The same status again changes nothing. Throws ORDER_NOT_FOUND,
 * FULFILMENT_NOT_APPLICABLE, ORDER_NOT_PAID and INVALID_TRANSITION.
 */
export async function advanceFulfilment(tx: Transaction, { storeId, orderId, to, actor }: FulfilmentChange): Promise<OrderRow> {
  const family = await lockFamily(tx, storeId, orderId);
  if (!family) throw new Problem('ORDER_NOT_FOUND');
  const { named } = family;
  if (named.order_type !== 'collect') throw new Problem('FULFILMENT_NOT_APPLICABLE');
  if (named.payment_status !== 'paid') throw new Problem('ORDER_NOT_PAID');
  const move = fulfilmentMove(named, to);
  return move ? await moveOrder(tx, family, move, { actor, note: null }) : named;
}

export interface StatusChange {
  readonly storeId: string;
  readonly orderId: string;
  readonly to: 'ready' | 'fulfilled' | 'cancelled';
  readonly note: string | null;
  /** Name shown in the log. */
  readonly actor: string | null;
  /** Whether the caller is an owner or manager of the store. */
  readonly manages: boolean;
}

/**
 * Sets the business status of a paid order, and returns it. The same status again changes nothing. Throws ORDER_NOT_FOUND,
 * ORDER_NOT_PAID, INVALID_TRANSITION and NOTE_REQUIRED.
 */
export async function setBusinessStatus(tx: Transaction, change: StatusChange): Promise<OrderRow> {
  const { storeId, orderId, to, note, actor, manages } = change;
  const family = await lockFamily(tx, storeId, orderId);
  if (!family) throw new Problem('ORDER_NOT_FOUND');
  const { named } = family;
  if (to === 'cancelled' && named.payment_status === 'cancelled') return named;
  if (named.payment_status !== 'paid') throw orderNotPaid(named);
  const move = businessMove(named, to, { note: Boolean(note), manages });
  return move ? await moveOrder(tx, family, move, { actor, note }) : named;
}
