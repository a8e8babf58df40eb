import type { Transaction } from '@corner/chassis';
import { uncollectedMove } from '../../order/rules/transitions.ts';
import { lockFamily, type OrderFamily } from '../../order/tables/orders.ts';
import type { RefundRow } from '../../refunds/index.ts';
import { openingsOfWeek } from '../../shop/index.ts';
import { acceptBy, closedFor, nextLook, type Waiting, waitingOf } from '../rules.ts';
import { readDeadlines, type StoreDeadlines, writeLookAt } from '../tables.ts';
import { cancelAndRefund } from './cancel-order.ts';
import { moveOrder } from './move-order.ts';

/**
 * Ends an order that was not accepted or collected in time; else notes when to check again. Returns the reserved refund of an order
 * cancelled this way, else null. Safe to run twice: it decides by the state of the locked order.
 */
export async function endIfOverdue(tx: Transaction, storeId: string, orderId: string): Promise<RefundRow | null> {
  const family = await lockFamily(tx, storeId, orderId);
  if (!family) return null;
  const waiting = waitingIn(family);
  const due = waiting && deadlineOf(waiting, await readDeadlines(tx, storeId));
  if (!waiting || !due || due > tx.now) {
    await writeLookAt(tx, family.named, due ?? nextLook(family.named.paid_at, tx.now));
    return null;
  }
  if (waiting.for === 'acceptance') return await cancelAndRefund(tx, family, notAccepted);
  await moveOrder(tx, family, uncollectedMove, { actor: null, note: null });
  return null;
}

const notAccepted = {
  canceller: 'system',
  owed: 'notAccepted',
  reason: 'The store did not accept the order in time.',
  actor: null,
  actorId: null,
} as const;

/** The order's own part ends with its legs, not before them. */
function waitingIn({ named, main, legs }: OrderFamily): Waiting {
  const isOpen = legs.some(({ business_status }) => business_status === 'placed' || business_status === 'ready');
  return named === main && isOpen ? null : waitingOf(named);
}

/** Null when the store sets no deadline, or has no opening hours and so never closes. */
function deadlineOf({ for: awaited, since }: NonNullable<Waiting>, store: StoreDeadlines): Date | null {
  const openings = openingsOfWeek(store, new Date(since));
  if (awaited === 'collection') return closedFor(since, store.hours.length > 0 ? openings : [], store.uncollected_after_hours);
  return store.accept_within_minutes === null ? null : acceptBy(since, openings, store.accept_within_minutes);
}
