import { expect, test } from '@jest/globals';
import { createBuckets, type Policy, secondsToNext } from './buckets.ts';

const policy: Policy = { name: 'p', limit: 10, windowSeconds: 60 };

test('there are never more buckets than allowed, and the one unused for longest goes first', () => {
  const buckets = createBuckets(3, () => 0);
  for (const key of ['a', 'b', 'c', 'a', 'd']) buckets.take(key, policy);
  expect(['a', 'b', 'c', 'd'].filter((key) => buckets.has(key))).toEqual(['a', 'c', 'd']);
  for (let index = 0; index < 1_000; index += 1) buckets.take(`flood ${index}`, policy);
  expect(buckets.level('a', policy)).toBe(10);
  expect(buckets.has('flood 996')).toBe(false);
});

test('a bucket refills evenly, is never over-full, and a clock set back takes nothing away', () => {
  let now = 1_000_000;
  const buckets = createBuckets(3, () => now);
  for (let index = 0; index < 10; index += 1) buckets.take('a', policy);
  expect(buckets.level('a', policy)).toBe(0);
  now += 6_000;
  expect(buckets.level('a', policy)).toBe(1);
  now += 3_000;
  expect(buckets.level('a', policy)).toBe(1.5);
  expect(secondsToNext(1.5, policy)).toBe(3);
  now -= 60_000;
  expect(buckets.level('a', policy)).toBe(0);
  now += 3_600_000;
  expect(buckets.level('a', policy)).toBe(10);
});
