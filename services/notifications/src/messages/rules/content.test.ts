import type { DataOf, orderFulfilmentChanged, queueCalled } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { contentForApprovedStamp, contentForReview } from './content-for-cards.ts';
import { contentForFulfilmentChanged, contentForOrderCancelled, contentForStatusChanged } from './content-for-orders.ts';
import { contentForQueueCalled, contentForQueueMove } from './content-for-queue.ts';

const order = { order_id: 'o', order_number: 'S1-1', store_id: 's', customer_id: 'c', at: '2026-06-01T12:00:00Z' };
type Fulfilment = DataOf<typeof orderFulfilmentChanged>;
const moved = (from: Fulfilment['from'], to: Fulfilment['to']) =>
  contentForFulfilmentChanged({ ...order, from, to, collection_code: null });

describe('content for orders', () => {
  test('accepted and ready make a message; preparing, collected and cancelled make none', () => {
    const templates = (['accepted', 'preparing', 'ready', 'collected', 'cancelled'] as const).map(
      (to) => moved(null, to).message?.template,
    );
    expect(templates).toEqual(['order.accepted', undefined, 'order.ready', undefined, undefined]);
  });

  test('a correction from collected back to ready makes no message', () => {
    expect(moved('collected', 'ready').message).toBeNull();
    expect(contentForStatusChanged({ ...order, from: 'fulfilled', to: 'ready' }).message).toBeNull();
  });

  test('preparing leaves a delay notice true; ready makes it out of date', () => {
    expect(moved('accepted', 'preparing').supersedes).toEqual(['order:o']);
    expect(moved('preparing', 'ready').supersedes).toEqual(['order:o', 'order-time:o']);
  });

  test('a cancelled order makes a message only when it was paid', () => {
    const cancelled = (was_paid: boolean) => contentForOrderCancelled({ ...order, voucher_id: null, reason: null, was_paid }).message;
    expect([cancelled(true)?.template, cancelled(false)]).toEqual(['order.cancelled', null]);
  });
});

describe('content for cards', () => {
  const stamp = { store_id: 's', customer_id: 'c', stamp_id: 't', source: 'hub', order_id: null, stamp_count: 4, goal: 10 } as const;

  test('an approved stamp also makes the message about its review out of date, and not the other way round', () => {
    expect(contentForApprovedStamp(stamp).supersedes).toEqual(['card:s:c', 'stamp:t']);
    expect(contentForReview('stamp.pending')(stamp).supersedes).toEqual(['stamp:t']);
  });

  test.each([
    [9, { stamp_count: 9, completed: false }],
    [10, { stamp_count: 0, completed: true }],
    [11, { stamp_count: 1, completed: true }],
    [20, { stamp_count: 0, completed: true }],
  ])('stamp number %i of a card with a goal of 10 says what the card shows', (stamp_count, shown) => {
    expect(contentForApprovedStamp({ ...stamp, stamp_count }).message?.data).toEqual({ goal: 10, ...shown });
  });

  test('messages about stamps wait two seconds, so that several stamps become one message', () => {
    expect(contentForApprovedStamp(stamp).message).toMatchObject({ waitSeconds: 2, topic: 'card:s:c' });
  });
});

describe('content for the queue', () => {
  const entry: DataOf<typeof queueCalled> = {
    entry_ref: 'e',
    store_id: 's',
    customer_id: 'c',
    position: null,
    hold_until: '2026-06-01T12:05:00Z',
    left_by: null,
    at: '2026-06-01T12:00:00Z',
  };

  test('a call expires with the hold, and without a hold there is no message', () => {
    expect(contentForQueueCalled(entry).message).toMatchObject({ template: 'queue.called', expiresAt: '2026-06-01T12:05:00Z' });
    expect(contentForQueueCalled({ ...entry, hold_until: null }).message).toBeNull();
  });

  test('every other move makes a call out of date without a message', () => {
    expect(contentForQueueMove(entry)).toEqual({ supersedes: ['queue:e'], message: null });
  });
});
