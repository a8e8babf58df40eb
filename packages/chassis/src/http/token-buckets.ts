/** Returns buckets in memory. Beyond `maxBuckets` the least recently used is dropped: the most likely to be full, which limits nothing. */
export function createTokenBuckets(maxBuckets: number, now: () => number): TokenBuckets {
  const buckets = new Map<string, { readonly tokens: number; readonly at: number }>();
  const level = (key: string, { limit, windowSeconds }: Policy): number => {
    const bucket = buckets.get(key);
    if (!bucket) return limit;
    const refilled = (Math.max(0, now() - bucket.at) * limit) / (windowSeconds * 1000);
    return Math.min(limit, bucket.tokens + refilled);
  };
  const set = (key: string, tokens: number): void => {
    buckets.delete(key);
    buckets.set(key, { tokens, at: now() });
    if (buckets.size > maxBuckets) buckets.delete(buckets.keys().next().value as string);
  };
  return {
    level,
    lower(key, policy, to) {
      if (to < level(key, policy)) set(key, to);
    },
    take: (key, policy) => set(key, Math.max(0, level(key, policy) - 1)),
    giveBack: (key, policy) => set(key, Math.min(policy.limit, level(key, policy) + 1)),
  };
}

export const secondsToNextToken = (level: number, { limit, windowSeconds }: Policy): number =>
  Math.max(1, Math.ceil(((Math.floor(level) + 1 - level) * windowSeconds) / limit));

/** Allows `limit` requests at once, refilled evenly over `windowSeconds`. */
export interface Policy {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface TokenBuckets {
  level(key: string, policy: Policy): number;
  take(key: string, policy: Policy): void;
  giveBack(key: string, policy: Policy): void;
  /** A bucket that is lower already stays unchanged. */
  lower(key: string, policy: Policy, to: number): void;
}

/**
 * Returns the two fields of draft-ietf-httpapi-ratelimit-headers-10: the quotas, and the tokens left of each until the next one is added.
 */
export const rateLimitHeaders = (levels: readonly BucketLevel[]): Record<string, string> => ({
  'RateLimit-Policy': levels.map(({ policy }) => `"${policy.name}";q=${policy.limit};w=${policy.windowSeconds}`).join(', '),
  RateLimit: levels.map(({ policy, level }) => `"${policy.name}";r=${Math.floor(level)};t=${secondsToNextToken(level, policy)}`).join(', '),
});

export interface BucketLevel {
  readonly policy: Policy;
  readonly level: number;
}
