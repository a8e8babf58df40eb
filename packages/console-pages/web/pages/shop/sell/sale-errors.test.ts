import { expect, test } from '@jest/globals';
import { RequestFailed } from '../../../logic/refusal.ts';
import { isOfPerson, isRefusalOfFirst, troubleOf } from './sale-errors.ts';

const failed = (status: number, code: string) => new RequestFailed(status, code, 'Why.');

test('the only request with its key did nothing when it was refused, also for who is signed in or how much they ask for', () => {
  for (const error of [failed(409, 'OUT_OF_STOCK'), failed(401, 'UNAUTHENTICATED'), failed(403, 'FORBIDDEN'), failed(429, 'RATE_LIMITED')])
    expect(isRefusalOfFirst(error)).toBe(true);
});

test('a failure, a lost response and a page of a proxy do not say what was done', () => {
  const errors = [failed(503, 'UPSTREAM_UNAVAILABLE'), failed(500, 'INTERNAL'), failed(0, 'NO_CONNECTION'), failed(403, 'UNREADABLE')];
  expect(errors.map(isRefusalOfFirst)).toEqual([false, false, false, false]);
  expect(isRefusalOfFirst(new DOMException('', 'TimeoutError'))).toBe(false);
});

test('a response of the platform says what is wrong; without one the line is down', () => {
  expect(troubleOf(failed(503, 'UPSTREAM_UNAVAILABLE'), 'Latte')).toContain('Latte: Why.');
  expect([failed(0, 'NO_CONNECTION'), failed(502, 'UNREADABLE'), new Error('x')].map((error) => troubleOf(error, ''))).toEqual([
    null,
    null,
    null,
  ]);
  expect([failed(429, 'RATE_LIMITED'), failed(503, 'UPSTREAM_UNAVAILABLE')].map(isOfPerson)).toEqual([true, false]);
});
