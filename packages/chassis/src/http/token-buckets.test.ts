import { expect, test } from '@jest/globals';
import { createTokenBuckets, type Policy, secondsToNextToken } from './token-buckets.ts';

const policy: Policy = { name: 'p', limit: 10, windowSeconds: 60 };

test('the number of buckets is bounded, and the least recently used one is dropped first', () => {
  const buckets = createTokenBuckets(3, () => 0);
  for (const key of ['a', 'b', 'c', 'a', 'd']) buckets.take(key, policy);
  expect(['a', 'b', 'c', 'd'].filter((key) => buckets.level(key, policy) < 10)).toEqual(['a', 'c', 'd']);
  for (let index = 0; index < 1_000; index += 1) buckets.take(`flood ${index}`, policy);
  expect(buckets.level('a', policy)).toBe(10);
});

test('a bucket refills evenly up to its limit, and a clock that is set back takes no tokens', () => {
  let now = 1_000_000;
  const buckets = createTokenBuckets(3, () => now);
  for (let index = 0; index < 10; index += 1) buckets.take('a', policy);
  expect(buckets.level('a', policy)).toBe(0);
  now += 6_000;
  expect(buckets.level('a', policy)).toBe(1);
  now += 3_000;
  expect(buckets.level('a', policy)).toBe(1.5);
  expect(secondsToNextToken(1.5, policy)).toBe(3);
  now -= 60_000;
  expect(buckets.level('a', policy)).toBe(0);
  now += 3_600_000;
  expect(buckets.level('a', policy)).toBe(10);
});

test('a reply of the shared bucket lowers a count, and never raises it', () => {
  const buckets = createTokenBuckets(3, () => 0);
  buckets.lower('a', policy, 4);
  buckets.lower('a', policy, 9);
  expect(buckets.level('a', policy)).toBe(4);
});
