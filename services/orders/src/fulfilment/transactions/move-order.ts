import { type OutboxEntry, outboxEntry, type Transaction } from '@corner/chassis';
import { type FulfilmentStatus, formatMoney, orderCancelled, orderFulfilmentChanged, orderStatusChanged } from '@corner/contracts';
import { followMove, type Step as MoveStep } from '../../order/rules/follow-move.ts';
import { nextVersionOf, orderFields } from '../../order/rules/order-event.ts';
import type { Move } from '../../order/rules/transitions.ts';
import { releaseHolds } from '../../order/tables/holds.ts';
import type { LogEntry } from '../../order/tables/log.ts';
import type { OrderFamily } from '../../order/tables/order-family.ts';
import type { OrderRow } from '../../order/tables/orders.ts';
import { findRefundable } from '../../refunds/index.ts';
import { writeMoves } from '../tables.ts';

type Step = MoveStep<OrderRow>;

/** Who moves an order, and why. */
export interface MoveReason {
  /** Name shown in the log. */
  readonly actor: string | null;
  readonly note: string | null;
  /** Whether the payment of a cancelled order is refunded with it. */
  readonly isRefunded?: boolean;
}

/**
 * Moves the order that the request names, in a locked family, and returns it updated. This is the only writer of both status
 * axes. The family's other orders move with it where {@link followMove} says so. Status, times, log and events change together.
 * Cancelling releases slots, and stock of goods that were not made yet.
 */
export async function moveOrder(tx: Transaction, family: OrderFamily, move: Move, by: MoveReason): Promise<OrderRow> {
  const steps = followMove(family, move);
  await releaseCancelled(tx, family.main.store_id, steps);
  const refundable = await refundableOf(tx, family.main.id, steps);
  const moved = await writeMoves(tx, {
    steps,
    entries: steps.map((step) => logEntry(step, by, step.order.id === family.named.id, refundable.get(step.order.id))),
    events: steps.flatMap((step) => events(step, tx.now, by.note)),
  });
  return moved.find(({ id }) => id === family.named.id) as OrderRow;
}

/** What can still be refunded of each order that is cancelled, in pence by its id. */
async function refundableOf(tx: Transaction, paymentOrderId: string, steps: readonly Step[]): Promise<ReadonlyMap<string, number>> {
  const cancelled = steps.filter(({ move }) => move.fulfilment === 'cancelled').map(({ order }) => order.id);
  if (cancelled.length === 0) return new Map();
  return new Map((await findRefundable(tx, paymentOrderId, cancelled)).map(({ id, pence }) => [id, pence]));
}

async function releaseCancelled(tx: Transaction, storeId: string, steps: readonly Step[]): Promise<void> {
  const cancelled = steps.filter(({ move }) => move.fulfilment === 'cancelled').map(({ order }) => order);
  if (cancelled.length === 0) return;
  await releaseHolds(tx, { storeId, orderIds: cancelled.map(({ id }) => id), kinds: ['slot'] });
  const unmade = cancelled.filter(({ fulfilment_status }) => fulfilment_status !== 'ready' && fulfilment_status !== 'collected');
  await releaseHolds(tx, { storeId, orderIds: unmade.map(({ id }) => id), kinds: ['stock'] });
}

const titles: Record<FulfilmentStatus, string> = {
  accepted: 'The order was accepted',
  preparing: 'Preparation began',
  ready: 'The order is ready',
  collected: 'The order was handed over',
  cancelled: 'The order was cancelled',
};

function logEntry({ order, move }: Step, { actor, note, isRefunded }: MoveReason, isNamed: boolean, refundablePence = 0): LogEntry {
  const entry = { storeId: order.store_id, orderId: order.id, actor };
  if (move.correction) return { ...entry, kind: 'status_corrected', title: 'Status corrected: the order is ready again', detail: note };
  const money = move.fulfilment === 'cancelled' ? moneyOf(order, refundablePence, isRefunded ?? false) : null;
  const detail = [isNamed ? note : null, money].filter(Boolean).join(' ') || null;
  return { ...entry, kind: move.fulfilment, title: titles[move.fulfilment], detail };
}

/** A sentence on the money of a cancelled order. Cancelling keeps it, so the log says what can be refunded. */
function moneyOf({ currency }: OrderRow, refundablePence: number, isRefunded: boolean): string {
  if (isRefunded) return 'It was paid while it was being cancelled, so the payment is refunded.';
  return refundablePence > 0
    ? `No refund was made. ${formatMoney(refundablePence, currency, 'en-GB')} can be refunded.`
    : 'No refund was made.';
}

/** A collect order publishes its fulfilment status, any other order its business status; a cancelled one publishes order.cancelled too. */
function events({ order, move }: Step, now: Date, note: string | null): OutboxEntry[] {
  const version = nextVersionOf(order);
  const at = now.toISOString();
  const entries: OutboxEntry[] = [];
  if (order.order_type === 'collect') {
    const data = { ...orderFields(order), from: order.fulfilment_status, to: move.fulfilment, at, collection_code: order.collection_code };
    entries.push(outboxEntry(orderFulfilmentChanged, { ...version, data }));
  } else if (order.business_status !== move.business) {
    const data = { ...orderFields(order), from: order.business_status, to: move.business, at };
    entries.push(outboxEntry(orderStatusChanged, { ...version, data }));
  }
  if (move.fulfilment === 'cancelled') {
    const data = { ...orderFields(order), voucher_id: order.voucher_id, was_paid: true, reason: note };
    entries.push(outboxEntry(orderCancelled, { ...version, data }));
  }
  return entries;
}
