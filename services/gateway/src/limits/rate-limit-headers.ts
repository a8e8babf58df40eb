import { type Policy, secondsToNextToken } from './token-buckets.ts';

/** Returns the two fields of draft-ietf-httpapi-ratelimit-headers-10: the quotas, and the tokens left of each until the next one is added. */
export const rateLimitHeaders = (levels: readonly BucketLevel[]): Record<string, string> => ({
  'RateLimit-Policy': levels.map(({ policy }) => `"${policy.name}";q=${policy.limit};w=${policy.windowSeconds}`).join(', '),
  RateLimit: levels.map(({ policy, level }) => `"${policy.name}";r=${Math.floor(level)};t=${secondsToNextToken(level, policy)}`).join(', '),
});

/** The tokens of a bucket at one moment, with fractions. */
export interface BucketLevel {
  readonly policy: Policy;
  readonly level: number;
}
