import { expect, test } from '@jest/globals';
import { RequestFailed } from '../logic/refusal.ts';
import { createAttempts } from './attempts.ts';

/** Tries `what`, which ends as said, and returns the key it was tried with. */
async function keyOf(attempt: ReturnType<typeof createAttempts>, what: string, end?: Error): Promise<string> {
  let used = '';
  await attempt(what, async (key) => {
    used = key;
    if (end) throw end;
  }).catch(() => {});
  return used;
}

test.each([
  ['no response', new RequestFailed(0, 'NO_CONNECTION', 'x')],
  ['a gateway fault', new RequestFailed(503, 'OVERLOADED', 'x')],
  ['an attempt that still runs', new RequestFailed(409, 'IDEMPOTENCY_IN_PROGRESS', 'x')],
  ['a fault of the page', new Error()],
])('after %s the same thing is tried with the same key until it has succeeded', async (_, error) => {
  const attempt = createAttempts();
  const first = await keyOf(attempt, 'order 1', error);
  expect(await keyOf(attempt, 'order 2')).not.toBe(first);
  expect(await keyOf(attempt, 'order 1', error)).toBe(first);
  expect(await keyOf(attempt, 'order 1')).toBe(first);
  expect(await keyOf(attempt, 'order 1')).not.toBe(first);
});

test.each(['REFUND_AMOUNT_EXCEEDS_REMAINING', 'REFUND_REJECTED'])('after the refusal %s the next attempt is another', async (code) => {
  const attempt = createAttempts();
  expect(await keyOf(attempt, 'order', new RequestFailed(409, code, 'x'))).not.toBe(await keyOf(attempt, 'order'));
});

test('two presses at once are one attempt', async () => {
  const attempt = createAttempts();
  const keys: string[] = [];
  await Promise.all([1, 2].map(() => attempt('order', async (key) => void keys.push(key))));
  expect(keys[1]).toBe(keys[0]);
});
