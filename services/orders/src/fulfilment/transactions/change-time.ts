import { publish, type Transaction } from '@corner/chassis';
import { orderRunningLate, orderSlotMoved, Problem } from '@corner/contracts';
import { nextVersionOf, orderFields } from '../../order/rules/event-fields.ts';
import { appendLog } from '../../order/tables/log.ts';
import { lockFamily } from '../../order/tables/orders.ts';
import {
  bookedSlotId,
  checkEarlierSlot,
  earliestInSlot,
  findClosing,
  lockSlots,
  moveToSlot,
  type SlotRow,
  timeAtStore,
} from '../../shop/index.ts';
import { checkCanBeLate, type Delay, noticeAction, revisedEta } from '../rules.ts';
import { readNoticeState, takePendingNotice, writeDelayNotice } from '../tables.ts';

export interface DelayRequest extends Delay {
  readonly storeId: string;
  readonly orderId: string;
  readonly note: string | null;
  readonly actor: string | null;
}

export interface NotedDelay {
  readonly customerId: string;
  readonly readyAt: string | null;
  /**
   * 'sent': published now. 'deferred': published when the notice window is over. 'ignored': a repeat. `readyAt` is ISO 8601; null when a
   * repeat finds no time.
   */
  readonly outcome: 'sent' | 'deferred' | 'ignored';
  readonly channel: 'push' | 'email' | 'none';
}

/**
 * Records that a paid order will be late; the booked time is kept too. The customer is notified at most once within the notice window.
 * Publishes order.running_late. Throws ORDER_NOT_FOUND, ORDER_TERMINAL, ORDER_NOT_PAID and INVALID_ETA.
 */
export async function notifyDelay(tx: Transaction, { storeId, orderId, note, actor, ...delay }: DelayRequest): Promise<NotedDelay> {
  const family = await lockFamily(tx, storeId, orderId);
  if (!family) throw new Problem('ORDER_NOT_FOUND');
  const order = family.named;
  checkCanBeLate(order);
  const state = await readNoticeState(tx, order);
  const request = JSON.stringify([delay.delayMinutes ?? null, delay.newReadyAt ?? null, note]);
  const action = noticeAction(state, request, tx.now);
  const channel = state.has_push ? 'push' : state.has_email ? 'email' : 'none';
  const noted = { customerId: order.customer_id, channel } as const;
  if (action === 'ignore') {
    return { ...noted, outcome: 'ignored', readyAt: order.revised_ready_at && new Date(order.revised_ready_at).toISOString() };
  }
  const eta = revisedEta(order, delay, tx.now);
  const readyAt = eta.toISOString();
  const pending = action === 'defer';
  const notifiedAt = (pending && state.notified_at) || tx.now.toISOString();
  await writeDelayNotice(tx, { orderId, storeId, readyAt: eta, request, note, notifiedAt, pending });
  const title = `Running late: expected at ${timeAtStore(eta, state.time_zone)}`;
  await appendLog(tx, { storeId, orderId, kind: 'running_late', title, detail: note, actor });
  if (pending) return { ...noted, outcome: 'deferred', readyAt };
  await publish(tx, orderRunningLate, { ...nextVersionOf(order), data: { ...orderFields(order), new_eta: readyAt, note } });
  return { ...noted, outcome: 'sent', readyAt };
}

export interface PendingNotice {
  readonly storeId: string;
  readonly orderId: string;
  readonly notifiedBefore: Date;
}

/** Publishes the pending delay notice of an order, with the newest expected time. An ended order's notice is dropped. */
export async function sendPendingDelayNotice(tx: Transaction, { storeId, orderId, notifiedBefore }: PendingNotice): Promise<void> {
  const order = (await lockFamily(tx, storeId, orderId))?.named;
  const notice = await takePendingNotice(tx, orderId, notifiedBefore);
  if (!order || !notice || !order.revised_ready_at) return;
  if (order.business_status !== 'placed' && order.business_status !== 'ready') return;
  await publish(tx, orderRunningLate, {
    ...nextVersionOf(order),
    data: { ...orderFields(order), new_eta: order.revised_ready_at, note: notice.note },
  });
}

export interface EarlierCollection {
  readonly storeId: string;
  readonly orderId: string;
  readonly customerId: string;
  readonly slotId: string;
}

/** A slot with an order in it, and when the order is collected, ISO 8601: at once if the slot has begun, since the order is ready. */
export type EarlierSlot = SlotRow & { readonly collectAt: string };

/**
 * Moves a customer's ready order to an earlier slot, and returns that slot. The order's current slot changes nothing. Lock order: the
 * order's family, then both slots by id. Publishes order.slot_moved. Throws ORDER_NOT_FOUND, ORDER_NOT_READY, ORDER_HAS_NO_SLOT,
 * SLOT_NOT_FOUND, NOT_EARLIER, SLOT_CLOSED and SLOT_JUST_FILLED.
 */
export async function collectEarlier(tx: Transaction, { storeId, orderId, customerId, slotId }: EarlierCollection): Promise<EarlierSlot> {
  const order = (await lockFamily(tx, storeId, orderId))?.named;
  if (!order || order.customer_id !== customerId) throw new Problem('ORDER_NOT_FOUND');
  if (order.uncollected_at) throw new Problem('ORDER_NOT_READY', { message: 'The order was not collected, and has ended.' });
  const from = bookedSlotId(order);
  const slots = await lockSlots(tx, storeId, [from, slotId]);
  const to = slots.find(({ id }) => id === slotId);
  if (!to) throw new Problem('SLOT_NOT_FOUND');
  if (to.id === from) return { ...to, collectAt: order.requested_collection_at ?? to.starts_at };
  const bookedAt = slots.find(({ id }) => id === from)?.starts_at ?? order.requested_collection_at ?? '';
  checkEarlierSlot(to, bookedAt, await findClosing(tx, storeId), tx.now);
  const collectAt = earliestInSlot(to, 0, tx.now);
  await moveToSlot(tx, { storeId, orderId, from, to, collectAt });
  await appendLog(tx, {
    storeId,
    orderId,
    kind: 'slot_moved',
    title: 'The customer collects earlier',
    detail: `From ${bookedAt.slice(0, 16)}Z to ${collectAt.slice(0, 16)}Z.`,
  });
  await publish(tx, orderSlotMoved, {
    ...nextVersionOf(order),
    data: { ...orderFields(order), from_slot_id: from, to_slot_id: to.id, requested_collection_at: collectAt },
  });
  return { ...to, used: to.used + 1, collectAt };
}
