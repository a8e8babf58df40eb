import type { Books } from './books.ts';
import type { FormParts } from './form.ts';
import type { Event, EventType } from './stripe-shapes.ts';

/** The newest API version the simulator speaks; also the one its events are written in. */
export const apiVersion = '2026-10-28.endive';

/** What every resource is handed. Work on it is synchronous, so one request is never seen half done by another. */
export interface World {
  readonly books: Books;
  readonly now: () => Date;
  /** A fresh id of Stripe's look: the prefix, then letters and digits nobody can guess. */
  readonly newId: (prefix: string, length?: number) => string;
  /** Records an event about `object` as it now stands; it leaves for the webhook address once the request is committed. */
  readonly publish: (type: EventType, object: { readonly id: string }, more?: { previous?: unknown; account?: string }) => void;
  /** Runs `work` after the time a bank takes, unless the simulator stops first. */
  readonly later: (work: () => void) => void;
}

/** One request to a resource. */
export interface Call {
  /** The ids in the path, in order. */
  readonly ids: readonly string[];
  readonly form: FormParts;
  /** What the key allows: a publishable one needs the intent's client secret. */
  readonly key: 'secret' | 'publishable';
  readonly stripeVersion: string | undefined;
}

/** Why an event came to be: the request and its idempotency key, or nothing for what the simulator did by itself. */
export interface Cause {
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
}

export const nobody: Cause = { requestId: null, idempotencyKey: null };

/** Runs work that changes the world, keeps all it did, then lets its events go, also when it throws. */
export type Change = <T>(because: Cause, work: () => T) => T;

interface WorldOptions {
  readonly books: Books;
  readonly now: () => Date;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly later: (work: () => void) => void;
  /** Takes the events of a change once the change is kept. */
  readonly send: (event: Event) => void;
}

/** The world, and the one way to change it. */
export function createWorld({ books, now, randomBytes, later, send }: WorldOptions): { readonly world: World; readonly change: Change } {
  let cause = nobody;
  let told: Event[] = [];

  const newId = (prefix: string, length = 24): string =>
    prefix + Array.from(randomBytes(length), (byte) => deadLetters[byte % deadLetters.length]).join('');

  const change: Change = (because, work) => {
    cause = because;
    try {
      return work();
    } finally {
      books.commit();
      const events = told;
      told = [];
      for (const event of events) send(event);
    }
  };

  const world: World = {
    books,
    now,
    newId,
    later: (work) => later(() => change(nobody, work)),
    publish(type, object, { previous, account } = {}) {
      const event: Event = {
        id: newId('evt_'),
        object: 'event',
        ...(account === undefined ? {} : { account }),
        api_version: apiVersion,
        created: seconds(now()),
        data: { object, ...(previous === undefined ? {} : { previous_attributes: previous }) },
        livemode: false,
        pending_webhooks: 1,
        request: { id: cause.requestId, idempotency_key: cause.idempotencyKey },
        type,
      };
      told.push(books.put(event));
    },
  };
  return { world, change };
}

const deadLetters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Stripe counts time in whole seconds since 1970. */
export const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);
