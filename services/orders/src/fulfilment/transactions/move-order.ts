import { type OutboxEntry, outboxEntry, type Transaction } from '@corner/chassis';
import {
  type Canceller,
  type FulfilmentStatus,
  formatMoney,
  orderCancelled,
  orderFulfilmentChanged,
  orderStatusChanged,
  orderUncollected,
  Problem,
} from '@corner/contracts';
import { nextVersionOf, orderFields } from '../../order/rules/event-fields.ts';
import { orderNotPaid } from '../../order/rules/status.ts';
import { businessMove, followMove, fulfilmentMove, type Move, type Step as MoveStep } from '../../order/rules/transitions.ts';
import { releaseHolds } from '../../order/tables/holds.ts';
import type { LogEntry } from '../../order/tables/log.ts';
import { lockFamily, type OrderFamily, type OrderRow } from '../../order/tables/orders.ts';
import { findRefunds, remainingPence } from '../../refunds/index.ts';
import { afterMove } from '../rules.ts';
import { writeMoves } from '../tables.ts';

export interface FulfilmentChange {
  readonly storeId: string;
  readonly orderId: string;
  readonly to: FulfilmentStatus;
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
  readonly actor: string | null;
  readonly manages: boolean;
}

/**
 * Sets the business status of a paid order, and returns it. The same status again changes nothing. Throws ORDER_NOT_FOUND, ORDER_NOT_PAID,
 * INVALID_TRANSITION and NOTE_REQUIRED.
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

type Step = MoveStep<OrderRow>;

/**
 * Who moves an order, and why. Without an actor the service moves it; without a canceller the store cancels. `refund` is the log's
 * sentence about a refund made with the cancellation.
 */
export interface MoveReason {
  readonly actor: string | null;
  readonly actorId?: string | null;
  readonly note: string | null;
  readonly canceller?: Canceller;
  readonly refund?: string;
}

/**
 * Moves the named order of a locked family, and returns it updated: the only writer of both status axes. The family's other orders move
 * with it where {@link followMove} says so. Cancelling releases slots, and stock and pace of goods that were not made yet.
 */
export async function moveOrder(tx: Transaction, family: OrderFamily, move: Move, by: MoveReason): Promise<OrderRow> {
  const steps = followMove(family, move);
  await releaseCancelled(tx, family.main.store_id, steps);
  const refundable = await refundableOf(tx, family.main, steps);
  const moved = await writeMoves(tx, {
    storeId: family.main.store_id,
    orders: steps.map(({ order, move: own }) => ({ id: order.id, ...afterMove(order, own, tx.now, by.canceller) })),
    entries: steps.map((step) => logEntry(step, by, step.order.id === family.named.id, refundable.get(step.order.id))),
    events: steps.flatMap((step) => events(step, tx.now, by)),
  });
  return moved.find(({ id }) => id === family.named.id) as OrderRow;
}

async function refundableOf(tx: Transaction, payment: OrderRow, steps: readonly Step[]): Promise<ReadonlyMap<string, number>> {
  const cancelled = steps.filter(({ move }) => move.fulfilment === 'cancelled').map(({ order }) => order);
  if (cancelled.length === 0) return new Map();
  const refunds = await findRefunds(tx, payment.id);
  return new Map(cancelled.map((order) => [order.id, remainingPence(payment, order, refunds)]));
}

async function releaseCancelled(tx: Transaction, storeId: string, steps: readonly Step[]): Promise<void> {
  const cancelled = steps.filter(({ move }) => move.fulfilment === 'cancelled').map(({ order }) => order);
  if (cancelled.length === 0) return;
  await releaseHolds(tx, { storeId, orderIds: cancelled.map(({ id }) => id), kinds: ['slot'] });
  const unmade = cancelled.filter(({ fulfilment_status }) => fulfilment_status !== 'ready' && fulfilment_status !== 'collected');
  await releaseHolds(tx, { storeId, orderIds: unmade.map(({ id }) => id), kinds: ['stock', 'pace'] });
}

const titles: Record<FulfilmentStatus, string> = {
  accepted: 'The order was accepted',
  preparing: 'Preparation began',
  ready: 'The order is ready',
  collected: 'The order was handed over',
  cancelled: 'The order was cancelled',
};

const cancelledTitles: Record<Canceller, string> = {
  store: titles.cancelled,
  customer: 'The customer cancelled the order',
  system: 'The order was cancelled because the store did not accept it in time',
};

function logEntry({ order, move }: Step, by: MoveReason, isNamed: boolean, refundablePence = 0): LogEntry {
  const { actor, actorId, note, refund, canceller = 'store' } = by;
  const entry = { storeId: order.store_id, orderId: order.id, actor, actorId };
  if (move.uncollected) return { ...entry, kind: 'uncollected', title: 'The order was not collected, and has ended', detail: null };
  if (move.correction) return { ...entry, kind: 'status_corrected', title: correctedTitle(order, move), detail: note };
  const isCancelled = move.fulfilment === 'cancelled';
  const money = isCancelled ? (refund ?? moneyOf(order, refundablePence)) : null;
  const detail = [isNamed ? note : null, money].filter(Boolean).join(' ') || null;
  return { ...entry, kind: move.fulfilment, title: isCancelled ? cancelledTitles[canceller] : titles[move.fulfilment], detail };
}

/** A main order whose own part does not move is reopened by a leg. */
function correctedTitle({ fulfilment_status }: OrderRow, { fulfilment, business }: Move): string {
  if (fulfilment === 'ready') return 'Status corrected: the order is ready again';
  if (fulfilment === 'preparing') return 'Status corrected: the order is being prepared again';
  if (fulfilment_status === 'collected' && business === 'placed')
    return 'Status corrected: the order is open again, because a part of it is';
  return fulfilment_status === 'preparing' ? 'Status corrected: preparation has not begun' : 'Status corrected: the order is not ready yet';
}

/** Cancelling refunds nothing, so the log names the refundable rest. */
function moneyOf({ currency }: OrderRow, refundablePence: number): string {
  return refundablePence > 0
    ? `No refund was made. ${formatMoney(refundablePence, currency, 'en-GB')} can be refunded.`
    : 'No refund was made.';
}

/** A collect order publishes its fulfilment status, any other its business status; a cancelled one publishes order.cancelled too. */
function events({ order, move }: Step, now: Date, { note, canceller = 'store' }: MoveReason): OutboxEntry[] {
  const version = nextVersionOf(order);
  const at = now.toISOString();
  const entries: OutboxEntry[] = [];
  if (move.uncollected) return [outboxEntry(orderUncollected, { ...version, data: { ...orderFields(order), at } })];
  // An order that was not collected has published no status since it was ready.
  const from = order.uncollected_at ? 'ready' : order.business_status;
  if (order.order_type === 'collect') {
    const { fulfilment_status, collection_code, ready_from, ready_to } = order;
    const data = { ...orderFields(order), from: fulfilment_status, to: move.fulfilment, at, collection_code, ready_from, ready_to };
    entries.push(outboxEntry(orderFulfilmentChanged, { ...version, data }));
  } else if (from !== move.business) {
    const data = { ...orderFields(order), from, to: move.business, at };
    entries.push(outboxEntry(orderStatusChanged, { ...version, data }));
  }
  if (move.fulfilment === 'cancelled') {
    const data = { ...orderFields(order), voucher_id: order.voucher_id, was_paid: true, reason: note, by: canceller };
    entries.push(outboxEntry(orderCancelled, { ...version, data }));
  }
  return entries;
}
