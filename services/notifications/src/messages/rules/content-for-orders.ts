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
import { type EventContent, noMessage } from './content.ts';

/** The customer keeps receipts and refund messages, so they go by e-mail first. */
export function contentForOrderPaid(order: DataOf<typeof orderPaid>): EventContent {
  const { order_id, order_number, total_pence, currency } = order;
  const topic = receiptTopic(order);
  return {
    supersedes: [topic],
    message: { template: 'order.paid', data: { order_id, order_number, total_pence, currency }, topic, channel: 'email', ...immediate },
  };
}

/**
 * Only `accepted` and `ready` make a message: `preparing` is on the app, and at `collected` the customer is there. A correction by staff to
 * `accepted`, or to `ready` from `collected`, makes none either.
 */
export function contentForFulfilmentChanged(order: DataOf<typeof orderFulfilmentChanged>): EventContent {
  const { to, from, order_number, collection_code } = order;
  const topic = progressTopic(order);
  const data = { order_number, collection_code };
  if (to === 'accepted') {
    if (from !== null) return noMessage(topic);
    return { supersedes: [topic], message: { template: 'order.accepted', data, topic, channel: 'push', ...immediate } };
  }
  if (to === 'preparing') return from === 'ready' ? notReady(order) : noMessage(topic);
  if (to !== 'ready' || from === 'collected') return noMessage(topic, timeTopic(order));
  return { supersedes: [topic, timeTopic(order)], message: { template: 'order.ready', data, topic, channel: 'push', ...immediate } };
}

export function contentForStatusChanged(order: DataOf<typeof orderStatusChanged>): EventContent {
  if (order.to === 'placed' && order.from === 'ready') return notReady(order);
  const topics = [progressTopic(order), timeTopic(order)];
  if (order.to !== 'ready' || order.from === 'fulfilled') return noMessage(...topics);
  const data = { order_number: order.order_number, collection_code: null };
  return { supersedes: topics, message: { template: 'order.ready', data, topic: progressTopic(order), channel: 'push', ...immediate } };
}

/** Sent only to a customer who got the `ready` message; the next `ready` is sent again. */
function notReady(order: OrderIds & { readonly order_number: string }): EventContent {
  const topic = progressTopic(order);
  const data = { order_number: order.order_number };
  return {
    supersedes: [topic],
    message: { template: 'order.not_ready', data, topic, channel: 'push', ...immediate, corrects: 'order.ready' },
  };
}

export function contentForOrderCancelled(order: DataOf<typeof orderCancelled>): EventContent {
  const topics = [progressTopic(order), timeTopic(order)];
  if (!order.was_paid || order.by === 'customer') return noMessage(...topics);
  const template = order.by === 'system' ? 'order.not_accepted' : 'order.cancelled';
  const { order_number } = order;
  return {
    supersedes: topics,
    message: { template, data: { order_number }, topic: progressTopic(order), channel: 'push', ...immediate },
  };
}

export function contentForOrderRefunded(order: DataOf<typeof orderRefunded>): EventContent {
  const { order_id, refund_id, order_number, amount_pence, cumulative_pence, full, currency } = order;
  const data = { order_id, refund_id, order_number, amount_pence, cumulative_pence, full, currency };
  const topic = refundTopic(order);
  // Units that cost nothing went back on sale, so no money is returned.
  if (amount_pence === 0 && !full) return noMessage();
  return { supersedes: [topic], message: { template: 'order.refunded', data, topic, channel: 'email', ...immediate } };
}

/** Only an accepted refund was promised to the customer, so only its failure makes a message. */
export function contentForRefundFailed(order: DataOf<typeof orderRefundFailed>): EventContent {
  const topic = refundTopic(order);
  if (!order.was_accepted) return noMessage(topic);
  const { order_number, amount_pence, currency } = order;
  const data = { order_number, amount_pence, currency };
  return { supersedes: [topic], message: { template: 'order.refund_failed', data, topic, channel: 'email', ...immediate } };
}

export function contentForRunningLate(order: DataOf<typeof orderRunningLate>): EventContent {
  const { order_number, new_eta, note } = order;
  const topic = timeTopic(order);
  return {
    supersedes: [topic],
    message: { template: 'order.running_late', data: { order_number, new_eta, note }, topic, channel: 'push', ...immediate },
  };
}

export function contentForSlotMoved(order: DataOf<typeof orderSlotMoved>): EventContent {
  const data = { order_number: order.order_number, collection_at: order.requested_collection_at };
  const topic = timeTopic(order);
  return { supersedes: [topic], message: { template: 'order.slot_moved', data, topic, channel: 'push', ...immediate } };
}

interface OrderIds {
  readonly order_id: string;
}

/** An order's progress and its expected time are separate topics: a new time stays true when the order moves a step. */
const progressTopic = ({ order_id }: OrderIds) => `order:${order_id}`;
const timeTopic = ({ order_id }: OrderIds) => `order-time:${order_id}`;
const receiptTopic = ({ order_id }: OrderIds) => `receipt:${order_id}`;

export const orderTopics = (order_id: string): readonly string[] =>
  [progressTopic, timeTopic, receiptTopic].map((topic) => topic({ order_id }));

export function orderIdIn(topic: string): string | null {
  const id = topic.slice(topic.indexOf(':') + 1);
  return orderTopics(id).includes(topic) ? id : null;
}

export const refundTopic = ({ refund_id }: { readonly refund_id: string }) => `refund:${refund_id}`;

const immediate = { waitSeconds: 0, expiresAt: null } as const;
