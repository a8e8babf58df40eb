import type { Transaction } from '@corner/chassis';
import { type Canceller, Problem } from '@corner/contracts';
import { isUnprepared, orderNotPaid } from '../../order/rules/status.ts';
import { businessMove, followMove, fulfilmentMove, type Move } from '../../order/rules/transitions.ts';
import { lockFamily, type OrderFamily, type OrderRow } from '../../order/tables/orders.ts';
import {
  findRefunds,
  type RefundingPerson,
  type RefundRow,
  remainingPence,
  reserveOwedRefund,
  reserveRefundOfStaff,
  reserveRestRefund,
} from '../../refunds/index.ts';
import { type MoveReason, moveOrder } from './move-order.ts';

export interface PaidMeanwhile {
  readonly storeId: string;
  readonly orderId: string;
  readonly by: MoveReason;
}

/**
 * Cancels an order that was paid during its cancellation, and reserves the refund of the rest of its payment. Returns the refund; null
 * when there is nothing to refund. Throws INVALID_TRANSITION when the order can no longer be cancelled: it stays paid.
 */
export async function cancelWithRefund(tx: Transaction, { storeId, orderId, by }: PaidMeanwhile): Promise<RefundRow | null> {
  const family = await lockFamily(tx, storeId, orderId);
  if (family?.main.payment_status !== 'paid') return null;
  const { main } = family;
  const move = businessMove(main, 'cancelled', { note: Boolean(by.note), manages: false });
  if (move) await moveOrder(tx, family, move, { ...by, refund: 'It was paid while it was being cancelled, so the payment is refunded.' });
  const amountPence = remainingPence(main, main, await findRefunds(tx, main.id));
  if (amountPence <= 0) return null;
  const reason = 'The payment came while the order was being cancelled.';
  return await reserveOwedRefund(tx, { storeId, orderId, owed: 'whileCancelled', amountPence, reason });
}

export interface OwnOrder {
  readonly storeId: string;
  readonly orderId: string;
  readonly customer: { readonly id: string; readonly name: string | null };
}

/**
 * Cancels a customer's paid order, or a leg, that the store has not begun to prepare, and reserves the refund of the rest of its payment,
 * or of the leg's share. Returns the refund; null when there is nothing to refund. An order that ended unpaid or is cancelled stays as it
 * is. Throws ORDER_NOT_FOUND and TOO_LATE_TO_CANCEL.
 */
export async function cancelOwnOrder(tx: Transaction, { storeId, orderId, customer }: OwnOrder): Promise<RefundRow | null> {
  const family = await lockFamily(tx, storeId, orderId);
  if (family?.named.customer_id !== customer.id) throw new Problem('ORDER_NOT_FOUND');
  const { named, main, legs } = family;
  if (main.payment_status !== 'paid' || named.business_status === 'cancelled') return null;
  if (main.booking_ref !== null)
    throw new Problem('TOO_LATE_TO_CANCEL', { message: 'It is the deposit of a booking: cancel the booking, and it is refunded.' });
  const parts = named === main ? [...(main.lines.length > 0 ? [main] : []), ...legs.filter(isNotCancelled)] : [named];
  if (!parts.every(isUnprepared)) throw new Problem('TOO_LATE_TO_CANCEL');
  return await cancelAndRefund(tx, family, {
    canceller: 'customer',
    owed: 'cancelledByCustomer',
    reason: 'The customer cancelled the order.',
    actor: customer.name,
    actorId: customer.id,
  });
}

const isNotCancelled = ({ business_status }: OrderRow): boolean => business_status !== 'cancelled';

interface RefundedCancellation {
  readonly canceller: Canceller;
  readonly owed: 'cancelledByCustomer' | 'notAccepted';
  readonly reason: string;
  readonly actor: string | null;
  readonly actorId: string | null;
}

export async function cancelAndRefund(tx: Transaction, family: OrderFamily, by: RefundedCancellation): Promise<RefundRow | null> {
  const { canceller, owed, reason, actor, actorId } = by;
  await moveOrder(tx, family, cancelled, {
    actor,
    actorId,
    note: canceller === 'system' ? reason : null,
    canceller,
    refund: 'The payment is refunded.',
  });
  return await reserveRestRefund(tx, { family, endsWhole: cancelsMain(family), owed, reason });
}

/**
 * Whether the main order is cancelled with the named one: after its last leg it may end as fulfilled instead. A leg that is cancelled
 * already ends the whole order only when the order has no goods of its own.
 */
const cancelsMain = (family: OrderFamily): boolean =>
  (family.main.business_status === 'cancelled' && family.main.lines.length === 0) ||
  followMove(family, cancelled).some(({ order, move }) => order === family.main && move.fulfilment === 'cancelled');

export interface CancelledByStaff {
  readonly storeId: string;
  readonly orderId: string;
  readonly axis: 'business' | 'fulfilment';
  readonly note: string | null;
  readonly by: RefundingPerson;
}

/**
 * Cancels a paid order or leg and reserves its refund, so that neither happens alone. Returns the order, and the refund or null when there
 * is nothing to refund. An order that is cancelled already has the rest refunded. Throws ORDER_NOT_FOUND, ORDER_NOT_PAID,
 * FULFILMENT_NOT_APPLICABLE, INVALID_TRANSITION and the problems of {@link reserveRefundOfStaff}.
 */
export async function cancelAndRefundByStaff(
  tx: Transaction,
  { storeId, orderId, axis, note, by }: CancelledByStaff,
): Promise<{ readonly order: OrderRow; readonly refund: RefundRow | null }> {
  const family = await lockFamily(tx, storeId, orderId);
  if (!family) throw new Problem('ORDER_NOT_FOUND');
  const { named } = family;
  if (axis === 'fulfilment' && named.order_type !== 'collect') throw new Problem('FULFILMENT_NOT_APPLICABLE');
  if (axis === 'business' && named.payment_status === 'cancelled') return { order: named, refund: null };
  if (named.payment_status !== 'paid') throw orderNotPaid(named);
  const asked = { note: Boolean(note), manages: false };
  const move = axis === 'fulfilment' ? fulfilmentMove(named, 'cancelled') : businessMove(named, 'cancelled', asked);
  const reason = note ?? 'The order was cancelled.';
  const refund = await reserveRefundOfStaff(tx, { family, endsWhole: cancelsMain(family), reason, by });
  if (!move) return { order: named, refund };
  const about = refund ? { refund: 'The payment is refunded.' } : {};
  return { order: await moveOrder(tx, family, move, { actor: by.name, actorId: by.id, note, ...about }), refund };
}

const cancelled: Move = { fulfilment: 'cancelled', business: 'cancelled', correction: false };
