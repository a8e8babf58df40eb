import { publish, type Transaction } from '@corner/chassis';
import { orderRunningLate, Problem } from '@corner/contracts';
import { nextVersionOf, orderFields } from '../../order/rules/order-event.ts';
import { appendLog } from '../../order/tables/log.ts';
import { lockFamily } from '../../order/tables/order-family.ts';
import { keptByZone } from '../../shop/index.ts';
import { checkCanBeLate, type Delay, noticeAction, revisedEta } from '../rules.ts';
import { readNoticeState, takePendingNotice, writeDelayNotice } from '../tables.ts';

export interface DelayRequest extends Delay {
  readonly storeId: string;
  readonly orderId: string;
  readonly note: string | null;
  /** Name shown in the log. */
  readonly actor: string | null;
}

export interface NotedDelay {
  readonly customerId: string;
  /** The time the order is expected at, ISO 8601; null when a repeat finds none. */
  readonly readyAt: string | null;
  /** 'sent': published now. 'deferred': published when the notice window is over. 'ignored': a repeat. */
  readonly outcome: 'sent' | 'deferred' | 'ignored';
  /** The channel over which the customer can be reached, as far as this service knows. */
  readonly channel: 'push' | 'email' | 'none';
}

/**
 * Notes that a paid order will be late. The revised time is stored beside the booked one. A customer is notified at most once within the
 * notice window. Throws ORDER_NOT_FOUND, ORDER_TERMINAL, ORDER_NOT_PAID and INVALID_ETA. Publishes order.running_late.
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
  await writeDelayNotice(tx, { orderId, storeId, readyAt: eta, request, note, pending: action === 'defer' });
  const title = `Running late: expected at ${timeIn(state.time_zone).format(eta)}`;
  await appendLog(tx, { storeId, orderId, kind: 'running_late', title, detail: note, actor });
  if (action === 'defer') return { ...noted, outcome: 'deferred', readyAt };
  await publish(tx, orderRunningLate, { ...nextVersionOf(order), data: { ...orderFields(order), new_eta: readyAt, note } });
  return { ...noted, outcome: 'sent', readyAt };
}

const timeIn = keptByZone({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

export interface PendingNotice {
  readonly storeId: string;
  readonly orderId: string;
  /** The customer must have been notified last before this instant. */
  readonly notifiedBefore: Date;
}

/** Publishes the pending delay notice of an order, with the newest expected time. For an order that has ended it is dropped. */
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
