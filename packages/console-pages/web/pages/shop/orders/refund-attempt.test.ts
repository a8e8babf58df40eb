import { expect, test } from '@jest/globals';
import { RequestFailed } from '../../../logic/refusal.ts';
import { keepsAttempt } from './refund-attempt.ts';

test('a refund that may have been made is repeated as the same attempt; after a refusal the next is another', () => {
  const failed = (status: number, code: string) => keepsAttempt(new RequestFailed(status, code, 'x'));
  expect([
    failed(0, 'NO_CONNECTION'),
    failed(503, 'OVERLOADED'),
    failed(409, 'IDEMPOTENCY_IN_PROGRESS'),
    keepsAttempt(new Error()),
  ]).toEqual([...[true, true, true, true]]);
  expect([failed(409, 'REFUND_AMOUNT_EXCEEDS_REMAINING'), failed(402, 'REFUND_REJECTED')]).toEqual([false, false]);
});
