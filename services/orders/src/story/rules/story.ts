import { type StoryActor, storyKinds } from '@corner/contracts';
import { cameTooLate } from '../../order/rules/status.ts';
import { earnedStamps, lossOf, unpaidReason } from './earned-stamps.ts';
import type { Fact, OrderMessages, OrderStamps, RecordedOrder } from './facts.ts';

const unnamed = { part: null, by_name: null, note: null };

/** Returns the story of an order, oldest first. A service that did not reply is null, and adds no facts. */
export function storyOf(order: RecordedOrder, loyalty: OrderStamps | null, messages: OrderMessages | null): readonly Fact[] {
  const facts = [
    ...logFacts(order),
    ...acceptedAtOnce(order),
    ...refundFacts(order),
    ...stampFacts(order, loyalty),
    ...(messages ?? []).map(messageFact),
  ];
  const returned = voucherReturned(order, loyalty, facts);
  const all = returned ? [...facts, returned] : facts;
  // The placing time is from the database's clock, and may be later than an event that followed at once.
  return [
    ...placedFacts(order, loyalty),
    ...all.toSorted((a, b) => compare(a.at, b.at) || storyKinds.indexOf(a.kind) - storyKinds.indexOf(b.kind)),
  ];
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function placedFacts(order: RecordedOrder, loyalty: OrderStamps | null): Fact[] {
  const { created_at: at, promo_discount_pence, voucher_discount_pence, promo_label } = order;
  const placed: Fact = { ...unnamed, at, kind: 'placed', amount_pence: order.total_pence };
  const promo: Fact = { ...unnamed, at, kind: 'promo_used', amount_pence: promo_discount_pence, title: promo_label };
  const title = loyalty?.voucher?.reward_title ?? null;
  const voucher: Fact = { ...unnamed, at, kind: 'voucher_used', amount_pence: voucher_discount_pence, title };
  return [placed, ...(promo_discount_pence > 0 ? [promo] : []), ...(order.voucher_id ? [voucher] : [])];
}

/** Kinds of log entries without further facts. Entries of the till are left out: tickets, holds, the store's share. */
const plainKinds: Readonly<Record<string, 'accepted' | 'preparing' | 'ready' | 'collected' | 'not_collected' | 'corrected'>> = {
  accepted: 'accepted',
  preparing: 'preparing',
  ready: 'ready',
  collected: 'collected',
  uncollected: 'not_collected',
  status_corrected: 'corrected',
};

const amountKinds: Readonly<Record<string, 'disputed' | 'dispute_won' | 'dispute_lost'>> = {
  dispute_opened: 'disputed',
  dispute_closed: 'dispute_won',
  dispute_lost: 'dispute_lost',
};

function logFacts(order: RecordedOrder): Fact[] {
  const { parts, log } = order;
  const isTooLate = cameTooLate(order);
  return log.flatMap((entry, n): Fact[] => {
    const { at, kind, order_id, actor, detail, amount_pence } = entry;
    const part = parts.find(({ id }) => id === order_id);
    const about = { ...unnamed, at, part: partName(order, order_id) };
    const staff = { ...about, by_name: actor };
    const isLatest = !log.slice(n + 1).some((later) => later.kind === kind && later.order_id === order_id);
    const plain = plainKinds[kind];
    if (plain) return [{ ...staff, kind: plain, note: plain === 'corrected' ? detail : null }];
    const disputed = amountKinds[kind];
    if (disputed) return [{ ...about, kind: disputed, amount_pence: amount_pence ?? 0 }];
    const by = part?.cancelled_by ?? 'store';
    switch (kind) {
      case 'declined':
        return [{ ...about, kind: 'payment_declined' }];
      case 'paid':
        return [{ ...about, kind: isTooLate ? 'paid_too_late' : 'paid', amount_pence: amount_pence ?? 0 }];
      case 'expired':
        return [{ ...about, kind: 'expired' }];
      case 'cancelled':
        return [{ ...about, kind: 'cancelled', by, by_name: by === 'store' ? actor : null }];
      case 'running_late':
        return [{ ...staff, kind: 'delayed', note: detail, expected_at: isLatest ? (part?.revised_ready_at ?? null) : null }];
      case 'slot_moved':
        return [{ ...about, kind: 'collect_earlier', expected_at: isLatest ? (part?.requested_collection_at ?? null) : null }];
      default:
        return [];
    }
  });
}

const partName = ({ id, parts }: RecordedOrder, orderId: string): string | null =>
  orderId === id ? null : (parts.find((part) => part.id === orderId)?.order_number ?? null);

/** A store that accepts its orders as they are paid writes no entry for that. */
const acceptedAtOnce = (order: RecordedOrder): Fact[] =>
  order.parts.flatMap(({ id, accepted_at: at }): Fact[] =>
    at === null || order.log.some(({ kind, order_id }) => kind === 'accepted' && order_id === id)
      ? []
      : [{ ...unnamed, at, part: partName(order, id), kind: 'accepted' }],
  );

const actors: Readonly<Record<string, StoryActor>> = { corner: 'system', 'payment-provider': 'provider' };

function refundFacts(order: RecordedOrder): Fact[] {
  return order.refunds.flatMap((refund, n): Fact[] => {
    const { accepted_at, settled_at, amount_pence } = refund;
    const by = actors[refund.by_id] ?? 'store';
    const staff = by === 'store' ? { by_name: refund.by_name, note: refund.reason } : { by_name: null, note: null };
    const about = { ...staff, part: partName(order, refund.order_id), amount_pence, by };
    const isOpen = refund.status === 'pending' || refund.status === 'requires_action';
    if (accepted_at === null && isOpen) return [{ ...about, at: refund.created_at, kind: 'refund_requested' }];
    const failed: Fact = { ...about, at: settled_at ?? refund.created_at, kind: 'refund_failed' };
    if (accepted_at === null) return [failed];
    const standing = order.refunds
      .slice(0, n)
      .filter((earlier) => earlier.accepted_at !== null && (earlier.counted || (earlier.settled_at ?? '') > accepted_at));
    const refunded = standing.reduce((sum, earlier) => sum + earlier.amount_pence, amount_pence);
    const accepted: Fact = { ...about, at: accepted_at, kind: refunded >= order.total_pence ? 'refunded' : 'partly_refunded' };
    return refund.counted ? [accepted] : [accepted, failed];
  });
}

function stampFacts(order: RecordedOrder, loyalty: OrderStamps | null): Fact[] {
  const earned = earnedStamps(order, loyalty);
  if (!earned) return [];
  // Stamps of an order refunded before its award never counted.
  const given = loyalty?.stamps.filter(({ given_at, taken_back_at }) => taken_back_at !== given_at) ?? [];
  const [first] = given;
  if (!loyalty || !first) {
    const { reason, amount_pence } = earned;
    return reason ? [{ ...unnamed, at: order.paid_at ?? order.created_at, kind: 'no_stamp', reason, amount_pence }] : [];
  }
  const { award } = loyalty;
  const at = first.given_at;
  const count = award?.awarded ? { count_after: award.stamp_count, goal: award.goal } : { count_after: null, goal: null };
  const taken = Map.groupBy(given, ({ taken_back_at }) => taken_back_at);
  return [
    { ...unnamed, at, kind: 'stamps_earned', stamps: given.length, ...count },
    ...(award?.voucher_minted ? [{ ...unnamed, at, kind: 'reward_earned' as const, title: award.reward_title }] : []),
    ...[...taken].flatMap(([when, { length: stamps }]): Fact[] =>
      when === null ? [] : [{ ...unnamed, at: when, kind: 'stamps_taken_back', stamps, reason: lossOf(loyalty) }],
    ),
  ];
}

/** An unpaid order's voucher is free again with its end, a paid one's with its full refund or lost dispute. */
function voucherReturned(order: RecordedOrder, loyalty: OrderStamps | null, facts: readonly Fact[]): Fact | null {
  const ending =
    unpaidReason(order) === null
      ? loyalty?.voucher?.returned && facts.findLast(({ kind }) => kind === 'refunded' || kind === 'dispute_lost')
      : order.voucher_id !== null && facts.find(({ kind }) => kind === 'expired' || kind === 'cancelled');
  return ending ? { ...unnamed, at: ending.at, kind: 'voucher_returned', title: loyalty?.voucher?.reward_title ?? null } : null;
}

function messageFact({ at, about, channel, state }: OrderMessages[number]): Fact {
  const kind = state === 'sent' ? (about === 'receipt' ? 'receipt_sent' : 'message_sent') : (`message_${state}` as const);
  return { ...unnamed, at, kind, about, channel };
}
