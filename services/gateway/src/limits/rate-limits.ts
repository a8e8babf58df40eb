import type { Authenticate, Caller, Log } from '@corner/chassis/edge';
import { type AnyOperation, Problem, type RateLimit } from '@corner/contracts';
import type { GatewayConfig } from '../config.ts';
import { subscriberOf } from '../http/client-address.ts';
import type { SharedBuckets, SharedDrawResult } from './shared-buckets.ts';
import {
  type BucketLevel,
  createTokenBuckets,
  type Policy,
  rateLimitHeaders,
  secondsToNextToken,
  type TokenBuckets,
} from './token-buckets.ts';

/** For each caller over all operations. */
const defaultPolicy: Policy = { name: 'default', limit: 600, windowSeconds: 60 };
const maxBuckets = 100_000;

/**
 * Returns the function that applies the rate limits: those the contracts name for an operation, which all gateways share, and 600 a minute
 * for each caller, which each process counts alone. A caller is the subject of a verified token, however many tokens that subject has and
 * however a token is spelled. Without a valid token it is the address. `now` is in milliseconds.
 *
 * This process counts for itself beside the shared buckets, and a reply from them only lowers its count: other processes can have taken more,
 * and a slow reply may not know of what was taken here meanwhile. A bucket that is empty here is empty, so the request is refused without a
 * query. This count decides alone while the shared buckets cannot be reached, and when `shared` is null.
 */
export function createRateLimits({ now, authenticate, shared }: RateLimitsOptions): Admit {
  // Two sets, so that a flood from many addresses cannot push out the buckets of callers.
  const byCaller = createTokenBuckets(maxBuckets, now);
  const byAddress = createTokenBuckets(maxBuckets, now);

  /**
   * Returns the verified caller's key; null without a valid token, and while the issuer's keys cannot be fetched. A token that was not seen
   * before is only verified while its address has requests left, because verifying an invented token costs more than refusing it.
   */
  const callerOf = async ({ authorization, address }: LimitedRequest): Promise<string | null> => {
    if (authorization === undefined) return null;
    const remembered = authenticate.remembered(authorization);
    if (remembered) return keyOf(remembered);
    const levels = levelsOf([defaultDraw(byAddress, subscriberOf(address))]);
    if (levels.some(isEmpty)) throw rateLimited(levels);
    try {
      const caller = await authenticate(authorization);
      return caller && keyOf(caller);
    } catch (error) {
      if (error instanceof Problem) return null;
      throw error;
    }
  };

  const drawsFor = ({ operation, address, storeId }: LimitedRequest, caller: string | null): Draw[] => {
    const subscriber = subscriberOf(address);
    const draws: Draw[] = [];
    const draw = (policy: Policy, buckets: TokenBuckets, key: string, limit: RateLimit) =>
      draws.push({ policy, buckets, key: `${policy.name} ${key}`, counts: limit.counts ?? 'requests', shared: true });
    for (const limit of operation?.limits ?? []) {
      const policy = policyOf(limit);
      const scope = `${operation?.name} `;
      if (limit.by === 'address') draw(policy, byAddress, scope + subscriber, limit);
      else if (limit.by === 'address+store') draw(policy, byAddress, `${scope}${subscriber} ${storeId ?? ''}`, limit);
      else if (caller) draw(policy, byCaller, scope + caller, limit);
    }
    draws.push(caller ? defaultDraw(byCaller, caller) : defaultDraw(byAddress, subscriber));
    return draws;
  };

  /** Draws from the shared buckets. Null when there are none or they cannot be reached. */
  const drawShared = async (draws: readonly Draw[], takes: (draw: Draw) => boolean): Promise<SharedDrawResult | null> =>
    shared && draws.length > 0
      ? await shared.draw(draws.map((draw) => ({ key: draw.key, policy: draw.policy, takes: takes(draw) })))
      : null;

  return async (request) => {
    const draws = drawsFor(request, await callerOf(request));
    const levels = levelsOf(draws);
    if (levels.some(isEmpty)) throw rateLimited(levels);
    const failures = draws.filter(({ counts }) => counts === 'failures');
    // Taken before the shared buckets are queried, so that concurrent requests do not count on the same tokens.
    const taken = draws.filter(({ counts }) => counts === 'requests');
    for (const { buckets, key, policy } of taken) buckets.take(key, policy);
    const [sharedDraws, localDraws] = [draws.filter((draw) => draw.shared), draws.filter((draw) => !draw.shared)];
    const result = await drawShared(sharedDraws, ({ counts }) => counts === 'requests');
    if (result && !result.admitted) {
      for (const { buckets, key, policy } of taken) buckets.giveBack(key, policy);
      lowerTo(result, sharedDraws);
      const sharedLevels = sharedDraws.map(({ policy }, index) => ({ policy, level: result.levels[index] ?? 0 }));
      throw rateLimited([...sharedLevels, ...levelsOf(localDraws)]);
    }
    if (result) lowerTo(result, sharedDraws);
    return {
      headers: rateLimitHeaders(levelsOf(draws)),
      settle(status, replayed) {
        if (replayed || status < 400 || status >= 500) return;
        for (const { buckets, key, policy } of failures) buckets.take(key, policy);
        void drawShared(failures, () => true).then((counted) => counted && lowerTo(counted, failures));
      },
    };
  };
}

/** Lowers this process' count to what the shared buckets had when they replied. It is never raised: a reply may be older than the count. */
function lowerTo({ levels }: SharedDrawResult, draws: readonly Draw[]): void {
  draws.forEach(({ buckets, key, policy }, index) => {
    buckets.lower(key, policy, levels[index] ?? policy.limit);
  });
}

const keyOf = ({ type, id }: Caller): string => `${type}:${id}`;

const defaultDraw = (buckets: TokenBuckets, key: string): Draw => ({
  policy: defaultPolicy,
  buckets,
  key: `${defaultPolicy.name} ${key}`,
  counts: 'requests',
  shared: false,
});

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

export interface RateLimitsOptions {
  /** Milliseconds. */
  readonly now: () => number;
  readonly authenticate: Authenticate;
  /** The buckets that all gateways share; null when this process counts alone. */
  readonly shared: SharedBuckets | null;
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

/** Opens the buckets that all gateways share; null without LIMITS_DATABASE_URL. The database driver is loaded only when it is needed. */
export async function openSharedBuckets(config: GatewayConfig, log: Log, now: () => number): Promise<SharedBuckets | null> {
  if (config.RATE_LIMITS === 'off') return null;
  if (config.LIMITS_DATABASE_URL === undefined) {
    log.info('rate limits are counted in this process alone: LIMITS_DATABASE_URL is not set');
    return null;
  }
  const { createSharedBuckets } = await import('./shared-buckets.ts');
  return createSharedBuckets({ url: config.LIMITS_DATABASE_URL, log, now, timeoutMs: config.LIMITS_TIMEOUT_MS });
}
