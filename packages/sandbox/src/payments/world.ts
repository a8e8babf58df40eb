import type { Books } from './books.ts';
import type { FormParts } from './form.ts';
import type { Event, EventType, ThinEvent, ThinEventType } from './stripe-shapes.ts';

const apiVersion = '2026-10-28.endive';

/** Requests run synchronously, so none sees half of another's changes. */
export interface World {
  readonly books: Books;
  readonly now: () => Date;
  readonly apple: { reachesDomains: boolean };
  readonly newId: (prefix: string, length?: number) => string;
  /** Sent to the webhook address once the request is committed. */
  readonly publish: (type: EventType, object: { readonly id: string }, more?: { previous?: unknown; account?: string }) => void;
  readonly publishThin: (type: ThinEventType, account: string) => void;
  readonly later: (work: () => void) => void;
}

export interface Call {
  readonly origin: string;
  readonly ids: readonly string[];
  readonly form: FormParts;
  readonly key: 'secret' | 'publishable';
  readonly stripeVersion: string | undefined;
  readonly account: string | null;
}

export interface Cause {
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
}

export const noCause: Cause = { requestId: null, idempotencyKey: null };

/** Commits the changes, then sends their events; also when the work throws. */
export type Change = <T>(because: Cause, work: () => T) => T;

interface WorldOptions {
  readonly books: Books;
  readonly now: () => Date;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly later: (work: () => void) => void;
  readonly send: (event: Event | ThinEvent) => void;
}

export function createWorld({ books, now, randomBytes, later, send }: WorldOptions): { readonly world: World; readonly change: Change } {
  let cause = noCause;
  let emitted: (Event | ThinEvent)[] = [];

  const newId = (prefix: string, length = 24): string =>
    prefix + Array.from(randomBytes(length), (byte) => deadLetters[byte % deadLetters.length]).join('');

  const change: Change = (because, work) => {
    cause = because;
    try {
      return work();
    } finally {
      books.commit();
      const events = emitted;
      emitted = [];
      for (const event of events) send(event);
    }
  };

  const world: World = {
    books,
    now,
    apple: { reachesDomains: true },
    newId,
    later: (work) => later(() => change(noCause, work)),
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
      emitted.push(books.put(event));
    },
    publishThin(type, account) {
      const related_object = { id: account, type: 'v2.core.account', url: `/v2/core/accounts/${account}` };
      const event = { id: newId('evt_test_'), created: now().toISOString(), livemode: false, related_object, type } as const;
      emitted.push(books.put<ThinEvent>({ ...event, object: 'v2.core.event' }));
    },
  };
  return { world, change };
}

const deadLetters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);
