import { createHash } from 'node:crypto';
import type { Books, Post } from './books.ts';
import { StripeRefusal } from './refusal.ts';

const keepMilliseconds = 24 * 60 * 60 * 1000;
const longestKey = 255;

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly requestId: string;
}

/** A POST that may go ahead. Call `end` exactly once: with the response to store under the key, or with null to leave the key unused. */
export interface KeyLease {
  end(reply: Reply | null): void;
}

type Entry = { readonly replay: Reply } | { readonly lease: KeyLease };

/** Stripe's idempotency: one request per key at a time, one response per key for 24 hours, and never other parameters. */
export function createIdempotency(books: Books, now: () => Date) {
  const under = new Set<string>();

  return function enter(key: string, path: string, body: string): Entry {
    if (key.length > longestKey)
      throw new StripeRefusal(400, `Idempotency keys can be up to ${longestKey} characters long.`, { type: 'idempotency_error' });
    const fingerprint = createHash('sha256').update(`${path}\n${body}`).digest('base64');
    const known = books.get('post', key);
    const live = known?.stored && now().getTime() - known.stored.at < keepMilliseconds ? known : undefined;
    const first: Post = { id: key, object: 'post', path, fingerprint, received: 0, executed: 0, stored: null };
    const counted = books.put<Post>({ ...(known ?? first), received: (known?.received ?? 0) + 1 });

    const underWay = under.has(key);
    if ((live || underWay) && counted.fingerprint !== fingerprint) throw otherParameters(key, counted.path !== path);
    if (underWay) throw inUse(key);
    if (live?.stored) return { replay: live.stored };

    under.add(key);
    books.put<Post>({ ...counted, path, fingerprint, executed: counted.executed + 1, stored: null });
    return {
      lease: {
        end(reply) {
          under.delete(key);
          const latest = books.get('post', key) ?? first;
          if (reply) books.put<Post>({ ...latest, stored: { ...reply, at: now().getTime() } });
        },
      },
    };
  };
}

const otherParameters = (key: string, otherPath: boolean): StripeRefusal =>
  new StripeRefusal(
    400,
    `Keys for idempotent requests can only be used ${otherPath ? 'for the same endpoint' : 'with the same parameters'} they were first used ${otherPath ? 'for' : 'with'}. Try using a key other than '${key}' if you meant to execute a different request.`,
    { type: 'idempotency_error' },
  );

const inUse = (key: string): StripeRefusal =>
  new StripeRefusal(
    409,
    `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    { type: 'idempotency_error', code: 'idempotency_key_in_use' },
  );
