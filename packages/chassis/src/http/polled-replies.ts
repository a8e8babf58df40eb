import type { AnyOperation } from '@corner/contracts';
import type { Caller } from '../auth/caller.ts';
import { type Changes, shared } from '../database/changes.ts';
import { tagsIn } from './bodies.ts';

/** Milliseconds after which a reply is read again without a change: what time alone changes is found within half a minute. */
const readAgainMs = 30_000;
/** Replies that are known at most; the one that was read first is forgotten first. */
const most = 10_000;

/** A request with If-None-Match, as its pipeline has admitted it. */
export interface PolledRequest {
  /** The caller as its token was verified: another token, also of the same person, knows nothing. */
  readonly caller: Caller;
  /** Path and query as sent, which with the caller decide the reply. */
  readonly url: string;
  readonly ifNoneMatch: string;
}

export interface Poll {
  /** The tag that the caller has and that the reply still has; null when the reply must be read. */
  readonly unchanged: string | null;
  /** Notes the tag of a reply that was read after this poll began, and the stores and customers that it is of. */
  remember(etag: string, keys: readonly (string | undefined)[]): void;
}

interface KnownReply {
  readonly keys: readonly string[];
  readonly position: number;
  readonly readAt: number;
}

/** The tags of replies that this process has sent to polls, each as long as nothing has changed of what it shows. */
export interface PolledReplies {
  /** Returns whether notes cover every change of the operation's replies. */
  cover(operation: AnyOperation): boolean;
  poll(request: PolledRequest): Promise<Poll>;
}

/** Returns an empty list of replies of these operations. `now` is the service's clock. */
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
      // By tag: of a reply that time alone changes, callers have several, and each holds for a while.
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
