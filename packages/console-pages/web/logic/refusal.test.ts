import { expect, test } from '@jest/globals';
import { failureOf, mayPass, RequestFailed } from './refusal.ts';

test('a refusal is a sentence with its code and the id to quote', () => {
  const failure = failureOf(409, { error: { code: 'ORDER_CLOSED', message: 'the order is closed', requestId: 'r1' } }, 'r2');
  expect(failure).toMatchObject({ status: 409, code: 'ORDER_CLOSED', message: 'The order is closed.', requestId: 'r1' });
});

test('the page of a proxy is not shown', () => {
  expect(failureOf(502, '<html>', 'r2')).toMatchObject({ code: 'UNREADABLE', requestId: 'r2' });
  expect(failureOf(502, { error: 'text' }, undefined)).toMatchObject({ code: 'UNREADABLE' });
});

test('a read is sent again when that may help', () => {
  const failures = [0, 400, 401, 404, 429, 500, 503].map((status) => new RequestFailed(status, 'X', 'x'));
  expect(failures.filter(mayPass).map(({ status }) => status)).toEqual([0, 429, 500, 503]);
});
