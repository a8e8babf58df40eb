import { describe, expect, test } from '@jest/globals';
import { ceilingExceeded, decideConfirmation, type FoundRequest, maxStampsPerRequest, storeRefusal } from './rules.ts';

const store = { enabled: true, live: true, goal: 5, multiStamp: { enabled: true, entitled: true, max_request: 3 } };

const { multiStamp } = store;

describe('storeRefusal', () => {
  test('a live store with the feature on and in its plan takes requests', () => expect(storeRefusal(store)).toBeNull());

  test.each([
    [{ enabled: false }, 'MULTI_STAMP_DISABLED'],
    [{ multiStamp: null }, 'MULTI_STAMP_DISABLED'],
    [{ multiStamp: { ...multiStamp, enabled: false, entitled: false } }, 'MULTI_STAMP_DISABLED'],
    [{ multiStamp: { ...multiStamp, entitled: false }, live: false }, 'PLAN_NOT_ENTITLED'],
    [{ live: false }, 'STORE_FROZEN'],
  ])('a store with %j is refused with %s', (more, problem) => expect(storeRefusal({ ...store, ...more })).toBe(problem));
});

test('one request asks for no more stamps than the store allows, nor than a voucher needs', () => {
  expect(maxStampsPerRequest(store)).toBe(3);
  expect(maxStampsPerRequest({ ...store, goal: 2 })).toBe(2);
  expect(maxStampsPerRequest({ ...store, multiStamp: null })).toBe(0);
});

test('the monthly ceiling may be reached but not exceeded', () => {
  expect(ceilingExceeded(5, 3, 8)).toBe(false);
  expect(ceilingExceeded(6, 3, 8)).toBe(true);
});

describe('decideConfirmation', () => {
  const nowMs = 1_000_000;
  const request = (more: Partial<FoundRequest>): FoundRequest => ({ status: 'pending', expiresAtMs: nowMs, resolvedAtMs: null, ...more });
  const refuse = (problem: string) => ({ step: 'refuse', problem });

  test('confirms a pending request up to five seconds after it expired', () => {
    expect(decideConfirmation(request({ expiresAtMs: nowMs - 5_000 }), nowMs)).toEqual({ step: 'confirm' });
    expect(decideConfirmation(request({ expiresAtMs: nowMs - 5_001 }), nowMs)).toEqual(refuse('MULTI_STAMP_EXPIRED'));
  });

  test('replays a confirmation of the last sixty seconds', () => {
    const confirmed = (resolvedAtMs: number) => request({ status: 'confirmed', resolvedAtMs });
    expect(decideConfirmation(confirmed(nowMs - 60_000), nowMs)).toEqual({ step: 'replay' });
    expect(decideConfirmation(confirmed(nowMs - 60_001), nowMs)).toEqual(refuse('NO_PENDING_REQUEST'));
  });

  test('refuses a request that is missing, cancelled or expired', () => {
    expect(decideConfirmation(null, nowMs)).toEqual(refuse('NO_PENDING_REQUEST'));
    expect(decideConfirmation(request({ status: 'cancelled', resolvedAtMs: nowMs }), nowMs)).toEqual(refuse('NO_PENDING_REQUEST'));
    expect(decideConfirmation(request({ status: 'expired', resolvedAtMs: nowMs }), nowMs)).toEqual(refuse('MULTI_STAMP_EXPIRED'));
  });
});
