import { publicEventTypes } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import {
  changesOf,
  deliveryState,
  newestAfter,
  pageSize,
  responseText,
  testEventOf,
  typesBySubject,
  typesText,
  type Webhook,
} from './webhooks.ts';

const webhook: Webhook = {
  id: '0190a000-0000-7000-8000-0000000000f1',
  url: 'https://books.example/hook',
  types: ['order.paid'],
  description: 'Bookkeeping',
  state: 'active',
  last_number: 3,
  waiting: 0,
  dead: 0,
  old_secret_until: null,
  created_at: '2026-11-01T10:00:00Z',
  ended_at: null,
};
const delivery = { attempts: 0, next_attempt_at: '2026-11-01T10:00:00Z', delivered_at: null, status: null, detail: null } as const;
const event = (more: object) => ({
  number: 1,
  id: 'a_1',
  type: 'order.paid',
  payload: '{"event_id":"e1"}',
  delivery: { state: 'pending' as const, ...delivery, ...more },
});

test('each public type of event can be chosen, once', () => {
  expect(Object.values(typesBySubject).flat()).toEqual(publicEventTypes);
});

test('types are named, and many of them counted', () => {
  expect(typesText([])).toBe('all events');
  expect(typesText(['a', 'b', 'c', 'd'])).toBe('a, b, c, d');
  expect(typesText(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more');
});

describe('a change', () => {
  const fields = { url: webhook.url, types: webhook.types, description: webhook.description };
  test('holds the fields that differ', () => {
    expect(changesOf(webhook, { ...fields, types: [], url: null })).toEqual({ types: [], url: null });
    expect(changesOf(webhook, fields)).toBeNull();
  });
  test('of a webhook that has ended is never empty, since it makes it active again', () => {
    expect(changesOf({ ...webhook, state: 'ended' }, fields)).toEqual({ description: 'Bookkeeping' });
  });
});

test('the state of an event is in words', () => {
  const of = (more: object, url: string | null = 'https://books.example/hook') => deliveryState(event(more), url)[1];
  expect(of({})).toBe('waits');
  expect(of({ attempts: 2 })).toBe('failing');
  expect(of({ state: 'dead' })).toBe('given up');
  expect(of({ state: 'delivered' })).toBe('delivered');
  expect(of({ state: 'delivered' }, null)).toBe('to be read');
  expect(of({ next_attempt_at: null })).toBe('not sent');
});

test('a response is its status and its beginning; without a response, why', () => {
  expect(responseText(event({ status: 500, detail: 'broken ' }))).toBe('500: broken');
  expect(responseText(event({ detail: 'connection refused' }))).toBe('connection refused');
  expect(responseText(event({}))).toBe('');
});

test('the event of a test is found by its id', () => {
  expect(testEventOf([event({})], 'e1')?.number).toBe(1);
  expect(testEventOf([event({})], 'e2')).toBeUndefined();
});

test('the newest page holds the last events, and begins at the same number for many of them', () => {
  for (const last of [0, 1, 99, 100, 101, 150, 151, 5_000]) {
    expect(last - newestAfter(last)).toBeLessThanOrEqual(pageSize);
    expect(last - newestAfter(last)).toBeGreaterThanOrEqual(Math.min(last, pageSize / 2));
  }
  expect(newestAfter(101)).toBe(newestAfter(150));
});
