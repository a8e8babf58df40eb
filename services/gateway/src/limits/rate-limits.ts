import { hash } from 'node:crypto';
import { type AnyOperation, Problem, type RateLimit } from '@corner/contracts';
import { subscriberOf } from '../http/client-address.ts';
import { type BucketLevel, rateLimitHeaders } from './rate-limit-headers.ts';
import type { SharedBuckets, SharedDrawResult } from './shared-buckets.ts';
import { createTokenBuckets, type Policy, secondsToNextToken, type TokenBuckets } from './token-buckets.ts';

/** For each caller over all operations. */
const defaultPolicy: Policy = { name: 'default', limit: 600, windowSeconds: 60 };
/** For unknown tokens from one address, so that each invented token does not bring a new quota. */
const newTokenPolicy: Policy = { name: 'new-token', limit: 600, windowSeconds: 60 };
const maxBuckets = 100_000;

/**
 * Returns the function that applies the rate limits: those the contracts name for an operation, which all gateways share, and 600 a minute
 * for each caller, which each process counts alone. A caller is the hash of the whole bearer token, because the claims of an unverified token
 * could name a victim; without a token it is the address. `now` is in milliseconds.
 *
 * This process also keeps the last known level of each shared bucket. Other processes can only have taken more, so a bucket that is empty
 * here is empty, and the request is refused without a query. These levels count alone while the shared buckets cannot be reached, and when
 * `shared` is null.
 */
export function createRateLimits(now: () => number, shared: SharedBuckets | null): Admit {
  // Two sets, so that a flood of invented tokens can push out only other tokens' buckets.
  const byToken = createTokenBuckets(maxBuckets, now);
  const byAddress = createTokenBuckets(maxBuckets, now);

  const drawsFor = ({ operation, authorization, address, storeId }: LimitedRequest): Draw[] => {
    const token = fingerprintOf(authorization);
    const subscriber = subscriberOf(address);
    const draws: Draw[] = [];
    const draw = (policy: Policy, buckets: TokenBuckets, key: string, limit?: RateLimit) =>
      draws.push({ policy, buckets, key: `${policy.name} ${key}`, counts: limit?.counts ?? 'requests', shared: limit !== undefined });
    for (const limit of operation?.limits ?? []) {
      const policy = policyOf(limit);
      const scope = `${operation?.name} `;
      if (limit.by === 'address') draw(policy, byAddress, scope + subscriber, limit);
      else if (limit.by === 'address+store') draw(policy, byAddress, `${scope}${subscriber} ${storeId ?? ''}`, limit);
      else if (token) draw(policy, byToken, scope + token, limit);
    }
    if (!token) draw(defaultPolicy, byAddress, subscriber);
    else {
      if (!byToken.has(`${defaultPolicy.name} ${token}`)) draw(newTokenPolicy, byAddress, subscriber);
      draw(defaultPolicy, byToken, token);
    }
    return draws;
  };

  /** Draws from the shared buckets and keeps their levels. Null when there are none or they cannot be reached. */
  const drawShared = async (draws: readonly Draw[], takes: (draw: Draw) => boolean): Promise<SharedDrawResult | null> => {
    if (!shared || draws.length === 0) return null;
    const result = await shared.draw(draws.map((draw) => ({ key: draw.key, policy: draw.policy, takes: takes(draw) })));
    result?.levels.forEach((level, index) => {
      draws[index]?.buckets.set(draws[index].key, level);
    });
    return result;
  };

  return async (request) => {
    const draws = drawsFor(request);
    const levels = levelsOf(draws);
    if (levels.some(isEmpty)) throw rateLimited(levels);
    const failures = draws.filter(({ counts }) => counts === 'failures');
    // Taken before the shared buckets are queried, so that concurrent requests do not count on the same tokens.
    for (const { buckets, key, policy, counts } of draws) if (counts === 'requests') buckets.take(key, policy);
    const [sharedDraws, localDraws] = [draws.filter((draw) => draw.shared), draws.filter((draw) => !draw.shared)];
    const result = await drawShared(sharedDraws, ({ counts }) => counts === 'requests');
    if (result && !result.admitted) {
      for (const { buckets, key, policy } of localDraws) buckets.giveBack(key, policy);
      const sharedLevels = sharedDraws.map(({ policy }, index) => ({ policy, level: result.levels[index] ?? 0 }));
      throw rateLimited([...sharedLevels, ...levelsOf(localDraws)]);
    }
    return {
      headers: rateLimitHeaders(levelsOf(draws)),
      settle(status, replayed) {
        if (replayed || status < 400 || status >= 500) return;
        for (const { buckets, key, policy } of failures) buckets.take(key, policy);
        void drawShared(failures, () => true);
      },
    };
  };
}

/** Returns a hash of the bearer token, whatever the spaces in its header; undefined without a token. */
function fingerprintOf(authorization: string | undefined): string | undefined {
  const token = authorization?.replace(/^Bearer +/i, '').trim();
  return token ? hash('sha256', token, 'base64url') : undefined;
}

const policyOf = ({ by, counts, limit, windowSeconds }: RateLimit): Policy => ({
  name: counts === 'failures' ? `${by}-failures` : by,
  limit,
  windowSeconds,
});

const levelsOf = (draws: readonly Draw[]): readonly BucketLevel[] =>
  draws.map(({ buckets, key, policy }) => ({ policy, level: buckets.level(key, policy) }));

const isEmpty = ({ level }: BucketLevel): boolean => level < 1;

function rateLimited(levels: readonly BucketLevel[]): Problem {
  const empty = levels.filter(isEmpty);
  return new Problem('RATE_LIMITED', {
    message: `Too many requests: ${empty.map(({ policy }) => `${policy.limit} in ${policy.windowSeconds} seconds`).join(', and ')} are served.`,
    retryAfterSeconds: Math.max(...empty.map(({ level, policy }) => secondsToNextToken(level, policy))),
    headers: rateLimitHeaders(levels),
  });
}

/** What a request is counted by. */
interface LimitedRequest {
  readonly operation: AnyOperation | undefined;
  readonly authorization: string | undefined;
  /** The caller's network address. */
  readonly address: string;
  /** The store the request names, for limits by store. */
  readonly storeId?: string | undefined;
}

/** One bucket a request draws from. */
interface Draw {
  readonly policy: Policy;
  readonly buckets: TokenBuckets;
  readonly key: string;
  readonly counts: 'requests' | 'failures';
  /** Whether all gateways share the bucket. */
  readonly shared: boolean;
}

/** A request that the limits allow. */
export interface Admission {
  /** `RateLimit-Policy` and `RateLimit` for the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Reports the response: some limits count only failures (4xx), and a replayed response counts for nothing. */
  settle(status: number, replayed: boolean): void;
}

/** Admits a request, or rejects with RATE_LIMITED, Retry-After and the rate limit headers. A refused request takes no tokens. */
export type Admit = (request: LimitedRequest) => Promise<Admission>;
