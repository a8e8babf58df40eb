import type { CustomerOrder } from '@corner/client';
import type { Texts } from '../texts/en/index.ts';
import type { Format } from '../texts/format.ts';

export const steps = ['accepted', 'preparing', 'ready', 'collected'] as const;
type Step = (typeof steps)[number];

export const isUnpaid = ({ status }: CustomerOrder): boolean => status === 'pending_payment' || status === 'payment_failed';

export const hasEnded = ({ status, fulfilment_status }: CustomerOrder): boolean =>
  ['expired', 'cancelled', 'refunded'].includes(status) || fulfilment_status === 'collected' || fulfilment_status === 'cancelled';

/** Leaves out an uncollected order that the shop has closed: its page says so, and no bar stays for good. */
export const underWay = (orders: readonly CustomerOrder[]): readonly CustomerOrder[] =>
  orders.filter((order) => !hasEnded(order) && !order.uncollected);

const isCancelled = (order: CustomerOrder): boolean =>
  order.status === 'cancelled' || order.fulfilment_status === 'cancelled' || order.cancelled_by !== null;

export const stepOf = (order: CustomerOrder): Step | null =>
  isUnpaid(order) || ['expired', 'cancelled', 'refunded'].includes(order.status)
    ? null
    : (steps.find((step) => step === order.fulfilment_status) ?? null);

export const isDelayed = (order: CustomerOrder): boolean =>
  order.revised_ready_at !== null && ['accepted', 'preparing'].includes(stepOf(order) ?? '');

export const mayCancel = (order: CustomerOrder): boolean =>
  !hasEnded(order) && (order.fulfilment_status === null || order.fulfilment_status === 'accepted');

export function describeState(order: CustomerOrder, { order: texts }: Pick<Texts, 'order'>): string {
  const { state } = texts;
  if (isUnpaid(order)) return state.unpaid;
  if (order.status === 'expired') return state.expired;
  if (isCancelled(order)) return state.cancelled;
  if (order.status === 'refunded') return state.refunded;
  if (order.uncollected) return state.uncollected;
  const step = stepOf(order);
  if (order.table_number !== null && step !== 'preparing')
    return step === 'collected' ? state.served : (step === 'ready' ? state.brought : state.made)(order.table_number);
  return step === null ? state.paid : state[step];
}

export function describeHint(
  order: CustomerOrder,
  { order: texts }: Pick<Texts, 'order'>,
  { time, day }: Format,
  zone: string,
): string | null {
  const { hint } = texts;
  if (isUnpaid(order)) return hint.unpaid;
  if (order.status === 'expired') return hint.expired;
  if (isCancelled(order)) return order.cancelled_by && hint.cancelledBy[order.cancelled_by];
  if (order.status === 'refunded') return null;
  if (order.uncollected) return hint.uncollected;
  const {
    requested_collection_at: booked,
    revised_ready_at: revised,
    ready_at: ready,
    accepted_at: accepted,
    ready_estimate: quoted,
  } = order;
  switch (order.fulfilment_status) {
    case null:
      return order.table_number === null ? hint.paid : null;
    case 'accepted':
    case 'preparing':
      if (revised !== null) return texts.delayed(time(revised, zone));
      if (booked !== null && order.collection_mode === 'scheduled') return texts.bookedFor(day(booked, zone), time(booked, zone));
      if (quoted) return texts.readyBetween(time(quoted.from, zone), time(quoted.to, zone));
      return accepted === null ? null : texts.readyAbout(time(later(accepted, order.prep_minutes), zone));
    case 'ready':
      return ready === null ? null : texts.readySince(time(ready, zone));
    default:
      return null;
  }
}

const later = (instant: string, minutes: number): string => new Date(Date.parse(instant) + minutes * 60_000).toISOString();
