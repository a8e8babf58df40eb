import type { DataOf, orderFulfilmentChanged, queueCalled, waitlistJoined } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { maskAddress, smsText } from './rules/channels.ts';
import { contentForWaitlistJoined } from './rules/content-for-bookings.ts';
import { contentForApprovedStamp, contentForReview } from './rules/content-for-cards.ts';
import { contentForFulfilmentChanged, contentForOrderCancelled, contentForStatusChanged } from './rules/content-for-orders.ts';
import { contentForQueueCalled, contentForQueueMove } from './rules/content-for-queue.ts';
import { type Attempt, maxAttempts, resultIfOutOfDate, resultOfAttempt, retryDelaySeconds } from './rules/delivery.ts';
import { changedPreferences, defaultPreferences } from './rules/preferences.ts';

const order = { order_id: 'o', order_number: 'S1-1', store_id: 's', customer_id: 'c', at: '2026-06-01T12:00:00Z' };
type Fulfilment = DataOf<typeof orderFulfilmentChanged>;
const moved = (from: Fulfilment['from'], to: Fulfilment['to']) =>
  contentForFulfilmentChanged({ ...order, from, to, collection_code: null });

test('to one who waits for a class that is moved, its new time is no booking; a place that is kept is offered again', () => {
  const waiting = { booking_ref: 'b', store_id: 's', customer_id: 'c', service_name: 'Yoga', starts_at: '2026-06-05T14:00:00Z', place: 2 };
  const joined = (offer_until: string | null) =>
    contentForWaitlistJoined({ ...waiting, cause: 'class', offer_until } as DataOf<typeof waitlistJoined>).message;
  expect(joined(null)).toMatchObject({ template: 'class.waiting', data: { place: 2, starts_at: waiting.starts_at } });
  expect(joined('2026-06-05T12:10:00Z')).toMatchObject({ template: 'class.offered' });
});

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

  test('a correction from ready makes a message that takes "ready" back; one from preparing makes none', () => {
    const back = { template: 'order.not_ready', corrects: 'order.ready' };
    expect(moved('ready', 'preparing').message).toMatchObject(back);
    expect(contentForStatusChanged({ ...order, from: 'ready', to: 'placed' }).message).toMatchObject(back);
    expect(moved('preparing', 'accepted')).toEqual({ supersedes: ['order:o'], message: null });
    expect(contentForStatusChanged({ ...order, from: 'fulfilled', to: 'placed' }).message).toBeNull();
  });

  test('preparing leaves a delay notice true; ready makes it out of date', () => {
    expect(moved('accepted', 'preparing').supersedes).toEqual(['order:o']);
    expect(moved('preparing', 'ready').supersedes).toEqual(['order:o', 'order-time:o']);
  });

  test('a cancelled order makes a message only when it was paid, and none to a customer who cancelled it', () => {
    const cancelled = (was_paid: boolean, by: 'store' | 'customer' = 'store') =>
      contentForOrderCancelled({ ...order, voucher_id: null, reason: null, was_paid, by }).message;
    expect([cancelled(true)?.template, cancelled(false)]).toEqual(['order.cancelled', null]);
    expect(cancelled(true, 'customer')).toBeNull();
  });
});

describe('content for cards', () => {
  const stamp = {
    store_id: 's',
    customer_id: 'c',
    stamp_id: 't',
    source: 'hub',
    evidence: null,
    order_id: null,
    by_id: null,
    at_store_id: null,
    stamp_count: 4,
    goal: 10,
  } as const;

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
    by_id: null,
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

const now = new Date('2026-06-01T12:00:00Z');
const pending: Attempt = { superseded: false, expiresAt: null, attempts: 2, dueAt: now };
const deferred = { status: 'deferred', reason: 'fcm 503', retryAfterSeconds: 0 } as const;

describe('resultIfOutOfDate', () => {
  test('leaves a current message to be sent', () => {
    expect(resultIfOutOfDate(pending, now)).toBeNull();
    expect(resultIfOutOfDate({ ...pending, expiresAt: new Date(now.getTime() + 1) }, now)).toBeNull();
  });

  test('supersedes a message when a newer event on its topic was processed, or when it has expired', () => {
    expect(resultIfOutOfDate({ ...pending, superseded: true }, now)).toMatchObject({ state: 'superseded', reason: 'newer', attempts: 2 });
    expect(resultIfOutOfDate({ ...pending, expiresAt: now }, now)).toMatchObject({ state: 'superseded', reason: 'expired' });
  });
});

describe('resultOfAttempt', () => {
  test('a muted message counts no attempt', () => {
    const muted = resultOfAttempt(pending, { status: 'muted', reason: 'unwanted' }, now, 0);
    expect(muted).toMatchObject({ state: 'muted', reason: 'unwanted', attempts: 2 });
  });

  test('a delivered message is sent', () => {
    expect(resultOfAttempt(pending, { status: 'delivered' }, now, 0)).toMatchObject({ state: 'sent', reason: null, attempts: 3 });
  });

  test('a rejected message fails at once', () => {
    const failed = resultOfAttempt(pending, { status: 'rejected', reason: 'smtp 550' }, now, 0);
    expect(failed).toMatchObject({ state: 'failed', reason: 'smtp 550', attempts: 3 });
  });

  test('a deferred message stays pending until the next attempt, and fails after the last one', () => {
    const later = resultOfAttempt(pending, deferred, now, 0);
    expect(later).toEqual({ state: 'pending', reason: 'fcm 503', attempts: 3, dueAt: new Date('2026-06-01T12:01:30Z') });
    expect(resultOfAttempt({ ...pending, attempts: maxAttempts - 1 }, deferred, now, 0)).toMatchObject({ state: 'failed' });
  });
});

describe('retryDelaySeconds', () => {
  test('is 10 seconds after the first attempt and three times as long after each further one, 4 hours at most', () => {
    expect([1, 2, 3, 4, 8, 9].map((attempts) => retryDelaySeconds(attempts, 0, 0))).toEqual([10, 30, 90, 270, 14_400, 14_400]);
  });

  test('is shortened by at most half', () => {
    expect(retryDelaySeconds(2, 0, 1)).toBe(15);
  });

  test('is never shorter than the provider’s Retry-After, up to 4 hours', () => {
    expect(retryDelaySeconds(1, 600, 0.5)).toBe(600);
    expect(retryDelaySeconds(1, 1_000_000, 0.5)).toBe(14_400);
  });
});

test('only preferences whose value differs have changed', () => {
  const current = { ...defaultPreferences, messagesMuted: true, stampEventsEnabled: false };
  expect(changedPreferences(defaultPreferences, current)).toEqual({ messagesMuted: true, stampEventsEnabled: false });
  expect(changedPreferences(current, current)).toEqual({});
});

describe('an address is masked', () => {
  test.each([
    ['email', 'ana@example.com', 'a…@example.com'],
    ['email', 'a@example.com', '…@example.com'],
    ['sms', '+447700900123', '…23'],
    ['push', 'device-token-7f', '…7f'],
    ['push', null, null],
    ['email', '', null],
  ] as const)('by %s, %s is shown as %s', (channel, address, masked) => {
    expect(maskAddress(channel, address)).toBe(masked);
  });
});

test('a text is the title and the body, with plain quotes, dashes and spaces', () => {
  const body = 'Bea’s Bakery – “La Côte” – vous attend à 14\u00a0h\u202f05.';
  expect(smsText({ title: 'C’est à vous', body })).toBe('C\'est à vous. Bea\'s Bakery - "La Côte" - vous attend à 14 h 05.');
});
