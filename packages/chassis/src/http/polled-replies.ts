import type { AnyOperation } from '@corner/contracts';
import type { Caller } from '../auth/caller.ts';
import { type Changes, shared } from '../database/changes.ts';
import { tagsIn } from './bodies.ts';

/** Changes that time alone makes are found within half a minute. */
const readAgainMs = 30_000;
const most = 10_000;

/** `caller`: as its token was verified, so another token of the same person has no known replies. `url`: path and query as sent. */
export interface PolledRequest {
  readonly caller: Caller;
  readonly url: string;
  readonly ifNoneMatch: string;
}

/**
 * `unchanged` is a tag that the caller has and the reply still has; null when the reply must be read. `remember` records the tag of a reply
 * read after this poll began, and the stores and customers in it.
 */
export interface Poll {
  readonly unchanged: string | null;
  remember(etag: string, keys: readonly (string | undefined)[]): void;
}

interface KnownReply {
  readonly keys: readonly string[];
  readonly position: number;
  readonly readAt: number;
}

export interface PolledReplies {
  cover(operation: AnyOperation): boolean;
  poll(request: PolledRequest): Promise<Poll>;
}

/**
 * Holds the tags of replies to polls of these operations, each while nothing in its reply has changed. When full, it drops the oldest.
 * `now` is the service's clock.
 */
export function createPolledReplies(changes: Changes, operations: readonly AnyOperation[], now: () => Date): PolledReplies {
  const known = new Map<string, KnownReply>();
  const callers = new WeakMap<Caller, number>();
  let lastCaller = 0;
  const numberOf = (caller: Caller): number => {
    const number = callers.get(caller) ?? ++lastCaller;
    callers.set(caller, number);
    return number;
  };
  return {
    cover: (operation) => operations.includes(operation),
    async poll({ caller, url, ifNoneMatch }) {
      const position = await changes.position();
      if (position === null) return { unchanged: null, remember: () => {} };
      const number = numberOf(caller);
      // By tag: callers have different versions of a reply that time alone changes, and each is valid for a while.
      const keyOf = (etag: string) => `${number} ${etag} ${url}`;
      const at = now().getTime();
      const holds = (etag: string) => {
        const reply = known.get(keyOf(etag));
        return reply && Math.abs(at - reply.readAt) < readAgainMs && changes.unchangedSince(reply.position, reply.keys);
      };
      return {
        unchanged: tagsIn(ifNoneMatch).find(holds) ?? null,
        remember(etag, keys) {
          const key = keyOf(etag);
          known.delete(key);
          if (known.size >= most) known.delete(known.keys().next().value ?? '');
          known.set(key, { keys: [shared, ...keys.filter((of) => of !== undefined)], position, readAt: at });
        },
      };
    },
  };
}
