import type { Order } from './operations.ts';
import { dueAt, isOpen } from './order-columns.ts';

export function changedAt(order: Pick<Order, 'collected_at' | 'ready_at' | 'preparing_at' | 'accepted_at' | 'created_at'>): string {
  return order.collected_at ?? order.ready_at ?? order.preparing_at ?? order.accepted_at ?? order.created_at;
}

export function isLate(
  order: Pick<Order, 'status' | 'fulfilment_status' | 'uncollected' | 'revised_ready_at' | 'requested_collection_at'>,
  now: number,
): boolean {
  if (!isOpen(order) || order.fulfilment_status === 'ready') return false;
  const due = dueAt(order);
  return due !== null && Date.parse(due) < now;
}

export function spanOf(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${String(minutes % 60).padStart(2, '0')}`;
  return `${Math.floor(hours / 24)} d`;
}

export const timeText = (instant: string, timeZone: string | undefined): string =>
  new Date(instant).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', ...(timeZone ? { timeZone } : {}) });

/** `due in 4 min`, `late 2 min`, `due now`. Null without a due time. */
export function dueText(due: string | null, now: number): string | null {
  if (due === null) return null;
  const left = Date.parse(due) - now;
  if (Math.abs(left) < 60_000) return 'due now';
  return left > 0 ? `due in ${spanOf(left)}` : `late ${spanOf(-left)}`;
}
