/** A named quota: `limit` requests at once, refilled evenly over `windowSeconds`. */
export interface Policy {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Token buckets, by key. */
export interface Buckets {
  /** Tokens there are now, with fractions. */
  level(key: string, policy: Policy): number;
  /** Takes one token, or what is left of one. */
  take(key: string, policy: Policy): void;
  /** Gives one token back. */
  give(key: string, policy: Policy): void;
  /** Sets a bucket to the level somebody who knows better says it has. */
  set(key: string, level: number): void;
  /** Whether the key has a bucket. */
  has(key: string): boolean;
}

/**
 * Keeps at most `most` buckets. The one unused for longest gives way to a new one: it is the likeliest to be full again,
 * and a full bucket and none are the same. `now` is in milliseconds.
 */
export function createBuckets(most: number, now: () => number): Buckets {
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
    if (buckets.size > most) buckets.delete(buckets.keys().next().value as string);
  };
  return {
    level,
    set,
    has: (key) => buckets.has(key),
    take: (key, policy) => set(key, Math.max(0, level(key, policy) - 1)),
    give: (key, policy) => set(key, Math.min(policy.limit, level(key, policy) + 1)),
  };
}

/** Seconds until a bucket at this level holds one more whole token; at least 1. */
export const secondsToNext = (level: number, { limit, windowSeconds }: Policy): number =>
  Math.max(1, Math.ceil(((Math.floor(level) + 1 - level) * windowSeconds) / limit));
