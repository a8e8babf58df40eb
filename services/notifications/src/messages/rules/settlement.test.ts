import { describe, expect, test } from '@jest/globals';
import { maxAttempts, settleAttempt, settleOutOfDate, type Unsettled } from './settlement.ts';

const now = new Date('2026-06-01T12:00:00Z');
const pending: Unsettled = { superseded: false, expiresAt: null, attempts: 2, dueAt: now };
const deferred = { status: 'deferred', reason: 'fcm 503', retryAfterSeconds: 0 } as const;

describe('settleOutOfDate', () => {
  test('leaves a current message to be sent', () => {
    expect(settleOutOfDate(pending, now)).toBeNull();
    expect(settleOutOfDate({ ...pending, expiresAt: new Date(now.getTime() + 1) }, now)).toBeNull();
  });

  test('supersedes a message when a newer event on its topic was processed, or when it has expired', () => {
    expect(settleOutOfDate({ ...pending, superseded: true }, now)).toMatchObject({ state: 'superseded', reason: 'newer', attempts: 2 });
    expect(settleOutOfDate({ ...pending, expiresAt: now }, now)).toMatchObject({ state: 'superseded', reason: 'expired' });
  });
});

describe('settleAttempt', () => {
  test('a muted message counts no attempt', () => {
    const muted = settleAttempt(pending, { status: 'muted', reason: 'unwanted' }, now, 0);
    expect(muted).toMatchObject({ state: 'muted', reason: 'unwanted', attempts: 2 });
  });

  test('a delivered message is sent', () => {
    expect(settleAttempt(pending, { status: 'delivered' }, now, 0)).toMatchObject({ state: 'sent', reason: null, attempts: 3 });
  });

  test('a rejected message fails at once', () => {
    const failed = settleAttempt(pending, { status: 'rejected', reason: 'smtp 550' }, now, 0);
    expect(failed).toMatchObject({ state: 'failed', reason: 'smtp 550', attempts: 3 });
  });

  test('a deferred message stays pending until the next attempt, and fails after the last one', () => {
    const later = settleAttempt(pending, deferred, now, 0);
    expect(later).toEqual({ state: 'pending', reason: 'fcm 503', attempts: 3, dueAt: new Date('2026-06-01T12:01:30Z') });
    expect(settleAttempt({ ...pending, attempts: maxAttempts - 1 }, deferred, now, 0)).toMatchObject({ state: 'failed' });
  });
});
