import { expect, test } from '@jest/globals';
import { createAttempts } from './attempts.ts';
import type { Kept } from './storage.ts';

type Attempt = ReturnType<typeof createAttempts>;

/** Tries an action, which ends with `end` if given, and returns the key that it was tried with. */
async function keyOf(attempt: Attempt, of: string, end?: Error, what?: string): Promise<string> {
  let used = '';
  const act = async (key: string) => {
    used = key;
    if (end) throw end;
  };
  await attempt(of, act, what).catch(() => {});
  return used;
}

const failure = (status: number, code: string) => Object.assign(new Error('x'), { status, code });
const lost = failure(0, 'NO_CONNECTION');

function tab(): Pick<Kept, 'getItem' | 'setItem'> & { text: string | null } {
  return {
    text: null,
    getItem() {
      return this.text;
    },
    setItem(_, text) {
      this.text = text;
    },
  };
}

test.each([
  ['no response', lost],
  ['a gateway fault', failure(503, 'OVERLOADED')],
  ['a page of a proxy', failure(413, 'UNREADABLE')],
  ['an expired token', failure(401, 'UNAUTHENTICATED')],
  ['a quota', failure(429, 'RATE_LIMITED')],
  ['an attempt that still runs', failure(409, 'IDEMPOTENCY_IN_PROGRESS')],
  ['a fault of the page', new Error()],
])('after %s the same thing is tried with the same key until it has succeeded', async (_, error) => {
  const attempt = createAttempts();
  const first = await keyOf(attempt, 'order 1', error);
  expect(await keyOf(attempt, 'order 2')).not.toBe(first);
  expect(await keyOf(attempt, 'order 1', error)).toBe(first);
  expect(await keyOf(attempt, 'order 1')).toBe(first);
  expect(await keyOf(attempt, 'order 1')).not.toBe(first);
});

test.each([
  [422, 'REFUND_AMOUNT_EXCEEDS_REMAINING'],
  [502, 'REFUND_REJECTED'],
])('after the refusal %d %s the next attempt is another', async (status, code) => {
  const attempt = createAttempts();
  expect(await keyOf(attempt, 'order', failure(status, code))).not.toBe(await keyOf(attempt, 'order'));
});

test('another action on the same thing has a key of its own, and after it the first one is done anew', async () => {
  const attempt = createAttempts();
  const call = await keyOf(attempt, 'guest', lost, 'call');
  expect(await keyOf(attempt, 'other guest', lost, 'recall')).not.toBe(call);
  expect(await keyOf(attempt, 'guest', lost, 'call')).toBe(call);
  expect(await keyOf(attempt, 'guest', undefined, 'recall')).not.toBe(call);
  expect(await keyOf(attempt, 'guest', undefined, 'call')).not.toBe(call);
});

test('two presses at once are one request, and a press after its response is another', async () => {
  const attempt = createAttempts();
  const keys: string[] = [];
  const press = () => attempt('order', async (key) => keys.push(key));
  expect(await Promise.all([press(), press()])).toEqual([1, 1]);
  expect(await press()).toBe(2);
  expect(new Set(keys).size).toBe(2);
});

test('a page that is loaded again repeats what was not answered, also what was still being sent, and nothing else', async () => {
  const kept = tab();
  const before = createAttempts(kept);
  const key = await keyOf(before, 'order 1', lost);
  const answered = await keyOf(before, 'order 2');
  let sent = '';
  void before('order 3', (drawn) => {
    sent = drawn;
    return new Promise(() => {});
  });
  const after = createAttempts(kept);
  expect(await keyOf(after, 'order 3')).toBe(sent);
  expect(await keyOf(after, 'order 2')).not.toBe(answered);
  expect(await keyOf(after, 'order 1')).toBe(key);
  expect(await keyOf(createAttempts(kept), 'order 1')).not.toBe(key);
});

test('a tab keeps the newest fifty, and begins anew with what it cannot read', async () => {
  const kept = tab();
  const before = createAttempts(kept);
  const keys: string[] = [];
  for (let order = 0; order < 51; order += 1) keys.push(await keyOf(before, `order ${order}`, lost));
  expect(JSON.parse(kept.text ?? '')).toHaveLength(50);
  expect(await keyOf(createAttempts(kept), 'order 50', lost)).toBe(keys[50]);
  expect(await keyOf(createAttempts(kept), 'order 0')).not.toBe(keys[0]);
  for (const text of ['no JSON', '{}', '[null, {}]']) {
    kept.text = text;
    expect(await keyOf(createAttempts(kept), 'order 1')).toMatch(/-/);
  }
});
