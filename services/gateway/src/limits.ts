import { hash } from 'node:crypto';
import { type AnyOperation, Problem, type RateLimit } from '@corner/contracts';
import { type Buckets, createBuckets, type Policy, secondsToNext } from './buckets.ts';
import { subscriberOf } from './client-address.ts';

/** What a request is counted by. */
interface Asking {
  readonly operation: AnyOperation | undefined;
  readonly authorization: string | undefined;
  /** The caller's network address. */
  readonly address: string;
  /** The store the request names, for limits by store. */
  readonly storeId?: string | undefined;
}

/** A request that was let in. */
export interface Admission {
  /** `RateLimit-Policy` and `RateLimit`, for the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** To be told the answer's status: some limits count refusals alone. */
  answered(status: number): void;
}

/** Lets a request in, or throws RATE_LIMITED with Retry-After and the rate limit headers. A refused request costs nothing. */
export type Admit = (asking: Asking) => Admission;

/** Any caller, over all operations. */
const everything: Policy = { name: 'default', limit: 600, windowSeconds: 60 };
/** Tokens from one address that were not seen before: made-up ones must not each bring a fresh quota. */
const newTokens: Policy = { name: 'new-token', limit: 600, windowSeconds: 60 };
const mostBuckets = 100_000;

/** One bucket a request draws from. */
interface Draw {
  readonly policy: Policy;
  readonly buckets: Buckets;
  readonly key: string;
  readonly counts: 'requests' | 'failures';
}

/**
 * Rate limits: those the contracts name for an operation, and 600 a minute for each caller. A caller is the hash of the
 * whole bearer token, since the claims of a token nobody verified yet could name a victim; without a token, the address.
 * Buckets live in memory: each process counts for itself. `now` is in milliseconds.
 */
export function createLimits(now: () => number): Admit {
  // Apart, so that a flood of made-up tokens can push out buckets of tokens only.
  const byToken = createBuckets(mostBuckets, now);
  const byAddress = createBuckets(mostBuckets, now);

  return ({ operation, authorization, address, storeId }) => {
    const token = fingerprintOf(authorization);
    const subscriber = subscriberOf(address);
    const draws: Draw[] = [];
    const draw = (policy: Policy, buckets: Buckets, key: string, counts: Draw['counts'] = 'requests') =>
      draws.push({ policy, buckets, key: `${policy.name} ${key}`, counts });
    for (const limit of operation?.limits ?? []) {
      const policy = policyOf(limit);
      const whose = `${operation?.name} `;
      if (limit.by === 'address') draw(policy, byAddress, whose + subscriber, limit.counts);
      else if (limit.by === 'address+store') draw(policy, byAddress, `${whose}${subscriber} ${storeId ?? ''}`, limit.counts);
      else if (token) draw(policy, byToken, whose + token, limit.counts);
    }
    if (!token) draw(everything, byAddress, subscriber);
    else {
      if (!byToken.has(`${everything.name} ${token}`)) draw(newTokens, byAddress, subscriber);
      draw(everything, byToken, token);
    }
    return admit(draws);
  };
}

function admit(draws: readonly Draw[]): Admission {
  const empty = draws.filter(({ buckets, key, policy }) => buckets.level(key, policy) < 1);
  if (empty.length > 0)
    throw new Problem('RATE_LIMITED', {
      message: `Too many requests: ${empty.map(({ policy }) => `${policy.limit} in ${policy.windowSeconds} seconds`).join(', and ')} are served.`,
      retryAfterSeconds: Math.max(...empty.map(({ buckets, key, policy }) => secondsToNext(buckets.level(key, policy), policy))),
      headers: limitHeaders(draws),
    });
  for (const { buckets, key, policy, counts } of draws) if (counts === 'requests') buckets.take(key, policy);
  const failures = draws.filter(({ counts }) => counts === 'failures');
  return {
    headers: limitHeaders(draws),
    answered(status) {
      if (status >= 400 && status < 500) for (const { buckets, key, policy } of failures) buckets.take(key, policy);
    },
  };
}

/** The two fields of draft-ietf-httpapi-ratelimit-headers-10: the quotas, and what is left of each until the next token. */
const limitHeaders = (draws: readonly Draw[]): Record<string, string> => ({
  'RateLimit-Policy': draws.map(({ policy }) => `"${policy.name}";q=${policy.limit};w=${policy.windowSeconds}`).join(', '),
  RateLimit: draws
    .map(({ buckets, key, policy }) => {
      const level = buckets.level(key, policy);
      return `"${policy.name}";r=${Math.floor(level)};t=${secondsToNext(level, policy)}`;
    })
    .join(', '),
});

const policyOf = ({ by, counts, limit, windowSeconds }: RateLimit): Policy => ({
  name: counts === 'failures' ? `${by}-failures` : by,
  limit,
  windowSeconds,
});

/** A hash of the bearer token, however its header is spaced; undefined without one. */
function fingerprintOf(authorization: string | undefined): string | undefined {
  const token = authorization?.replace(/^Bearer +/i, '').trim();
  return token ? hash('sha256', token, 'base64url') : undefined;
}
