import {
  type Authenticate,
  type BucketLevel,
  type Caller,
  createTokenBuckets,
  type Log,
  type Policy,
  rateLimitHeaders,
  secondsToNextToken,
  subscriberOf,
  type TokenBuckets,
} from '@corner/chassis/edge';
import { type AnyOperation, Problem, type RateLimit } from '@corner/contracts';
import type { GatewayConfig } from '../config.ts';
import type { SharedBuckets, SharedDrawResult } from './shared-buckets.ts';

const defaultPolicy: Policy = { name: 'default', limit: 600, windowSeconds: 60 };
/** Limits a partner across all gateways, so that one machine cannot take the capacity that a store's people need. */
const partnerPolicy: Policy = { name: 'partner', limit: 300, windowSeconds: 60 };
const maxBuckets = 100_000;

/**
 * Returns the function that applies the rate limits: the contracts' for an operation, shared by all gateways, and 600 a minute for each
 * caller, which each process counts alone; a partner has 300 a minute in all. A caller is the subject of a verified token, else the
 * address. `now` is in milliseconds.
 *
 * This process also counts alone: a shared reply only lowers its count (it may be older than the count), and that count decides while the
 * shared buckets are unreachable or `shared` is null. Callers and addresses have separate sets of buckets, so a flood from many addresses
 * cannot push out the buckets of callers.
 */
export function createRateLimits({ now, authenticate, shared }: RateLimitsOptions): Admit {
  const buckets = { byCaller: createTokenBuckets(maxBuckets, now), byAddress: createTokenBuckets(maxBuckets, now) };
  return async (request) => {
    const caller = await callerOf(request, authenticate, buckets);
    const draws = drawsFor(request, caller, buckets);
    await takeTokens(draws, shared);
    return {
      caller,
      headers: rateLimitHeaders(levelsOf(draws)),
      settle(status, replayed) {
        if (!replayed && status >= 400 && status < 500) countFailure(draws, shared);
      },
    };
  };
}

/**
 * Returns the verified caller's key; null without one. A new token is only verified while its address has requests left, because verifying
 * an invented one costs more than refusing it.
 */
async function callerOf(
  { authorization, address }: LimitedRequest,
  authenticate: Authenticate,
  { byAddress }: Buckets,
): Promise<string | null> {
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
}

function drawsFor(
  { operation, address, storeId, clientId }: LimitedRequest,
  caller: string | null,
  { byCaller, byAddress }: Buckets,
): Draw[] {
  const subscriber = subscriberOf(address);
  const draws: Draw[] = [];
  const draw = (policy: Policy, buckets: TokenBuckets, key: string, limit: RateLimit) =>
    draws.push({ policy, buckets, key: `${policy.name} ${key}`, counts: limit.counts ?? 'requests', shared: true });
  for (const limit of operation?.limits ?? []) {
    const policy = policyOf(limit);
    const scope = `${operation?.name} `;
    if (limit.by === 'address') draw(policy, byAddress, scope + subscriber, limit);
    else if (limit.by === 'address+store') draw(policy, byAddress, `${scope}${subscriber} ${storeId ?? ''}`, limit);
    else if (limit.by === 'address+client') draw(policy, byAddress, `${scope}${subscriber} ${clientId ?? ''}`, limit);
    else if (caller) draw(policy, byCaller, scope + caller, limit);
  }
  if (caller?.startsWith('partner:'))
    draws.push({ policy: partnerPolicy, buckets: byCaller, key: `${partnerPolicy.name} ${caller}`, counts: 'requests', shared: true });
  else draws.push(caller ? defaultDraw(byCaller, caller) : defaultDraw(byAddress, subscriber));
  return draws;
}

/**
 * Takes a token from each bucket that counts requests: from this process's first, so that concurrent requests do not count on the same
 * tokens. Throws RATE_LIMITED, having taken none.
 */
async function takeTokens(draws: readonly Draw[], shared: SharedBuckets | null): Promise<void> {
  const levels = levelsOf(draws);
  if (levels.some(isEmpty)) throw rateLimited(levels);
  const taken = draws.filter(({ counts }) => counts === 'requests');
  for (const { buckets, key, policy } of taken) buckets.take(key, policy);
  const [sharedDraws, localDraws] = [draws.filter((draw) => draw.shared), draws.filter((draw) => !draw.shared)];
  const result = await drawShared(shared, sharedDraws, ({ counts }) => counts === 'requests');
  if (result && !result.admitted) {
    for (const { buckets, key, policy } of taken) buckets.giveBack(key, policy);
    lowerTo(result, sharedDraws);
    const sharedLevels = sharedDraws.map(({ policy }, index) => ({ policy, level: result.levels[index] ?? 0 }));
    throw rateLimited([...sharedLevels, ...levelsOf(localDraws)]);
  }
  if (result) lowerTo(result, sharedDraws);
}

function countFailure(draws: readonly Draw[], shared: SharedBuckets | null): void {
  const failures = draws.filter(({ counts }) => counts === 'failures');
  for (const { buckets, key, policy } of failures) buckets.take(key, policy);
  void drawShared(shared, failures, () => true).then((counted) => counted && lowerTo(counted, failures));
}

/** Null when `shared` is null or cannot be reached. */
async function drawShared(
  shared: SharedBuckets | null,
  draws: readonly Draw[],
  takes: (draw: Draw) => boolean,
): Promise<SharedDrawResult | null> {
  if (!shared || draws.length === 0) return null;
  return await shared.draw(draws.map((draw) => ({ key: draw.key, policy: draw.policy, takes: takes(draw) })));
}

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
  readonly now: () => number;
  readonly authenticate: Authenticate;
  readonly shared: SharedBuckets | null;
}

interface LimitedRequest {
  readonly operation: AnyOperation | undefined;
  readonly authorization: string | undefined;
  readonly address: string;
  readonly storeId?: string | undefined;
  readonly clientId?: string | undefined;
}

interface Buckets {
  readonly byCaller: TokenBuckets;
  readonly byAddress: TokenBuckets;
}

interface Draw {
  readonly policy: Policy;
  readonly buckets: TokenBuckets;
  readonly key: string;
  readonly counts: 'requests' | 'failures';
  readonly shared: boolean;
}

export interface Admission {
  /** The subject of the verified token, with its kind; null without one. */
  readonly caller: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Reports the response: some limits count only failures (4xx), and a replayed response counts for nothing. */
  settle(status: number, replayed: boolean): void;
}

/** Admits a request, or rejects with RATE_LIMITED, Retry-After and the rate limit headers. A refused request takes no tokens. */
export type Admit = (request: LimitedRequest) => Promise<Admission>;

/** Null without LIMITS_DATABASE_URL. The database driver is loaded only when it is needed. */
export async function openSharedBuckets(config: GatewayConfig, log: Log, now: () => number): Promise<SharedBuckets | null> {
  if (config.RATE_LIMITS === 'off') return null;
  if (config.LIMITS_DATABASE_URL === undefined) {
    log.info('rate limits are counted in this process alone: LIMITS_DATABASE_URL is not set');
    return null;
  }
  const { createSharedBuckets } = await import('./shared-buckets.ts');
  return createSharedBuckets({ url: config.LIMITS_DATABASE_URL, log, now, timeoutMs: config.LIMITS_TIMEOUT_MS });
}
