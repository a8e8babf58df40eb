import { hash } from 'node:crypto';
import { type AnyOperation, Problem, type RateLimit } from '@corner/contracts';
import { type Buckets, createBuckets, type Policy, secondsToNext } from './buckets.ts';
import { subscriberOf } from './client-address.ts';
import type { Drawn, SharedBuckets } from './shared-buckets.ts';

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
  /** To be told what became of it: some limits count refusals alone, and an answer given again counts for nothing. */
  answered(status: number, replayed: boolean): void;
}

/** Lets a request in, or rejects with RATE_LIMITED, Retry-After and the rate limit headers. A refused request costs nothing. */
export type Admit = (asking: Asking) => Promise<Admission>;

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
  /** Whether all gateways draw from it together. */
  readonly shared: boolean;
}

/**
 * Rate limits: those the contracts name for an operation, shared by all gateways, and 600 a minute for each caller, for
 * this process alone. A caller is the hash of the whole bearer token, since the claims of a token nobody verified yet could
 * name a victim; without a token, the address. `now` is in milliseconds.
 *
 * What this process knows of a shared bucket it keeps in memory too. Others can only have drawn more: a bucket that is empty
 * here is empty, and the request refused without asking; and while the shared ones cannot be asked, these are what counts.
 * Without `shared` they always are.
 */
export function createLimits(now: () => number, shared: SharedBuckets | null): Admit {
  // Apart, so that a flood of made-up tokens can push out buckets of tokens only.
  const byToken = createBuckets(mostBuckets, now);
  const byAddress = createBuckets(mostBuckets, now);

  const drawsOf = ({ operation, authorization, address, storeId }: Asking): Draw[] => {
    const token = fingerprintOf(authorization);
    const subscriber = subscriberOf(address);
    const draws: Draw[] = [];
    const draw = (policy: Policy, buckets: Buckets, key: string, limit?: RateLimit) =>
      draws.push({ policy, buckets, key: `${policy.name} ${key}`, counts: limit?.counts ?? 'requests', shared: limit !== undefined });
    for (const limit of operation?.limits ?? []) {
      const policy = policyOf(limit);
      const whose = `${operation?.name} `;
      if (limit.by === 'address') draw(policy, byAddress, whose + subscriber, limit);
      else if (limit.by === 'address+store') draw(policy, byAddress, `${whose}${subscriber} ${storeId ?? ''}`, limit);
      else if (token) draw(policy, byToken, whose + token, limit);
    }
    if (!token) draw(everything, byAddress, subscriber);
    else {
      if (!byToken.has(`${everything.name} ${token}`)) draw(newTokens, byAddress, subscriber);
      draw(everything, byToken, token);
    }
    return draws;
  };

  /** Draws from the shared buckets and remembers what they hold; null when there are none to ask. */
  const drawShared = async (draws: readonly Draw[], takes: (draw: Draw) => boolean): Promise<Drawn | null> => {
    if (!shared || draws.length === 0) return null;
    const drawn = await shared.draw(draws.map((draw) => ({ key: draw.key, policy: draw.policy, takes: takes(draw) })));
    drawn?.levels.forEach((level, index) => {
      draws[index]?.buckets.set(draws[index].key, level);
    });
    return drawn;
  };

  return async (asking) => {
    const draws = drawsOf(asking);
    const seen = look(draws);
    if (seen.some(isEmpty)) throw refusal(seen);
    const [requests, failures] = [draws.filter(({ counts }) => counts === 'requests'), draws.filter(({ counts }) => counts === 'failures')];
    // Taken before anybody else is asked, so that requests that come meanwhile do not count on the same tokens.
    for (const { buckets, key, policy } of requests) buckets.take(key, policy);
    const [together, alone] = [draws.filter((draw) => draw.shared), draws.filter((draw) => !draw.shared)];
    const drawn = await drawShared(together, ({ counts }) => counts === 'requests');
    if (drawn && !drawn.admitted) {
      for (const { buckets, key, policy } of alone) buckets.give(key, policy);
      const levels = together.map(({ policy }, index) => ({ policy, level: drawn.levels[index] ?? 0 }));
      throw refusal([...levels, ...look(alone)]);
    }
    return {
      headers: limitHeaders(look(draws)),
      answered(status, replayed) {
        if (replayed || status < 400 || status >= 500) return;
        for (const { buckets, key, policy } of failures) buckets.take(key, policy);
        void drawShared(failures, () => true);
      },
    };
  };
}

/** What a bucket held at one moment, in tokens. */
interface Seen {
  readonly policy: Policy;
  readonly level: number;
}

const look = (draws: readonly Draw[]): readonly Seen[] =>
  draws.map(({ buckets, key, policy }) => ({ policy, level: buckets.level(key, policy) }));

const isEmpty = ({ level }: Seen): boolean => level < 1;

function refusal(seen: readonly Seen[]): Problem {
  const empty = seen.filter(isEmpty);
  return new Problem('RATE_LIMITED', {
    message: `Too many requests: ${empty.map(({ policy }) => `${policy.limit} in ${policy.windowSeconds} seconds`).join(', and ')} are served.`,
    retryAfterSeconds: Math.max(...empty.map(({ level, policy }) => secondsToNext(level, policy))),
    headers: limitHeaders(seen),
  });
}

/** The two fields of draft-ietf-httpapi-ratelimit-headers-10: the quotas, and what is left of each until the next token. */
const limitHeaders = (seen: readonly Seen[]): Record<string, string> => ({
  'RateLimit-Policy': seen.map(({ policy }) => `"${policy.name}";q=${policy.limit};w=${policy.windowSeconds}`).join(', '),
  RateLimit: seen.map(({ policy, level }) => `"${policy.name}";r=${Math.floor(level)};t=${secondsToNext(level, policy)}`).join(', '),
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
