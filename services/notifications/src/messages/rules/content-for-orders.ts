import type {
  DataOf,
  orderCancelled,
  orderFulfilmentChanged,
  orderPaid,
  orderRefunded,
  orderRefundFailed,
  orderRunningLate,
  orderSlotMoved,
  orderStatusChanged,
} from '@corner/contracts';
import { type News, silent } from './content.ts';

interface OfOrder {
  readonly order_id: string;
}
/** How far an order is, and separately when it is expected: a new time is still news after the next step was taken. */
const progress = ({ order_id }: OfOrder) => `order:${order_id}`;
const expected = ({ order_id }: OfOrder) => `order-time:${order_id}`;
const refund = ({ refund_id }: { readonly refund_id: string }) => `refund:${refund_id}`;

const now = { waitSeconds: 0, expiresAt: null } as const;

/** The receipt: a record to keep, so by e-mail before push. */
export function newsOfPaid(order: DataOf<typeof orderPaid>): News {
  const { order_number, total_pence, currency } = order;
  const topic = `receipt:${order.order_id}`;
  return {
    outdates: [topic],
    message: { template: 'order.paid', facts: { order_number, total_pence, currency }, topic, way: 'email', ...now },
  };
}

/** Accepted and ready are told. Preparing can be seen, and who collects is there; a corrected `ready` was told the first time. */
export function newsOfFulfilment(order: DataOf<typeof orderFulfilmentChanged>): News {
  const { to, from, order_number, collection_code } = order;
  const topic = progress(order);
  const facts = { order_number, collection_code };
  if (to === 'accepted') return { outdates: [topic], message: { template: 'order.accepted', facts, topic, way: 'push', ...now } };
  if (to === 'preparing') return silent(topic);
  if (to !== 'ready' || from === 'collected') return silent(topic, expected(order));
  return { outdates: [topic, expected(order)], message: { template: 'order.ready', facts, topic, way: 'push', ...now } };
}

/** The same of orders that are not collected. */
export function newsOfStatus(order: DataOf<typeof orderStatusChanged>): News {
  const topics = [progress(order), expected(order)];
  if (order.to !== 'ready' || order.from === 'fulfilled') return silent(...topics);
  const facts = { order_number: order.order_number, collection_code: null };
  return { outdates: topics, message: { template: 'order.ready', facts, topic: progress(order), way: 'push', ...now } };
}

/** Told to whoever had paid: an unpaid order that ends is no surprise to whoever left it. */
export function newsOfCancelled(order: DataOf<typeof orderCancelled>): News {
  const topics = [progress(order), expected(order)];
  if (!order.was_paid) return silent(...topics);
  const { order_number } = order;
  return {
    outdates: topics,
    message: { template: 'order.cancelled', facts: { order_number }, topic: progress(order), way: 'push', ...now },
  };
}

/** A record to keep, like the receipt. */
export function newsOfRefunded(order: DataOf<typeof orderRefunded>): News {
  const { order_number, amount_pence, cumulative_pence, full } = order;
  const facts = { order_number, amount_pence, cumulative_pence, full };
  const topic = refund(order);
  return { outdates: [topic], message: { template: 'order.refunded', facts, topic, way: 'email', ...now } };
}

/** The store has to see to it. A refund not told of yet is not told any more. */
export const newsOfRefundFailed = (order: DataOf<typeof orderRefundFailed>): News => silent(refund(order));

export function newsOfRunningLate(order: DataOf<typeof orderRunningLate>): News {
  const { order_number, new_eta, note } = order;
  const topic = expected(order);
  return {
    outdates: [topic],
    message: { template: 'order.running_late', facts: { order_number, new_eta, note }, topic, way: 'push', ...now },
  };
}

export function newsOfSlotMoved(order: DataOf<typeof orderSlotMoved>): News {
  const facts = { order_number: order.order_number, collection_at: order.requested_collection_at };
  const topic = expected(order);
  return { outdates: [topic], message: { template: 'order.slot_moved', facts, topic, way: 'push', ...now } };
}
