import { createTokenBuckets, type Policy, rateLimitHeaders, secondsToNextToken, subscriberOf } from '@corner/chassis/edge';
import { Problem } from '@corner/contracts';
import type { RequestHandler } from 'express';

/** Beyond so many addresses, the least recent is forgotten. */
const mostAddresses = 100_000;

/**
 * Limits the requests of an address; an IPv6 address counts as its /64. Throws RATE_LIMITED with Retry-After. Each process counts alone.
 */
export function limitByAddress(policy: Policy, now: () => Date): RequestHandler {
  const buckets = createTokenBuckets(mostAddresses, () => now().getTime());
  return ({ ip = '' }, _response, next) => {
    const address = subscriberOf(ip);
    const level = buckets.level(address, policy);
    if (level < 1)
      throw new Problem('RATE_LIMITED', {
        message: `Too many requests: ${policy.limit} in ${policy.windowSeconds} seconds are served.`,
        retryAfterSeconds: secondsToNextToken(level, policy),
        headers: rateLimitHeaders([{ policy, level }]),
      });
    buckets.take(address, policy);
    next();
  };
}
