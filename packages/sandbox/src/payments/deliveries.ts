import type { Books, Delivery } from './books.ts';
import type { Event, ThinEvent } from './stripe-shapes.ts';
import { postEvent, type WebhookEndpoint } from './webhook-endpoint.ts';

/** Stripe's own limit is three days. */
export interface Retry {
  readonly firstMs: number;
  readonly mostMs: number;
  readonly forMs: number;
}

export const patientRetry: Retry = { firstMs: 200, mostMs: 30_000, forMs: 3 * 24 * 60 * 60 * 1000 };

export interface WebhookOptions {
  readonly books: Books;
  readonly now: () => Date;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly retry: Retry;
}

export function createDeliveries(
  { books, now, pause, retry }: WebhookOptions,
  to: () => { readonly endpoint: WebhookEndpoint | undefined; readonly copies: number },
) {
  const { track, stopped, settled, stop } = createTracker();
  const note = (event: Event | ThinEvent, what: Attempted) => noteDelivery(books, event, what);

  return {
    note,
    /** Sends an event until it arrives or is given up. `sendInOrder` sends the next one while one that did not arrive is repeated. */
    send: (event: Event | ThinEvent, delayMs: number): Promise<void> => track(persist(event, delayMs)),
    sendOnce: (event: Event | ThinEvent): Promise<boolean> => track(attempt(event)),
    sendInOrder: (events: readonly (Event | ThinEvent)[]): Promise<void> => track(inOrder(events)),
    wait: (milliseconds: number, then: () => Promise<void>): Promise<void> => track(pause(milliseconds, stopped).then(then)),
    settled,
    stop,
  };

  async function inOrder(events: readonly (Event | ThinEvent)[]): Promise<void> {
    for (const event of events) if (!(await attempt(event))) void track(repeat(event));
  }

  async function persist(event: Event | ThinEvent, delayMs: number): Promise<void> {
    if (delayMs > 0) await pause(delayMs, stopped);
    if (!(await attempt(event))) await repeat(event);
  }

  async function attempt(event: Event | ThinEvent): Promise<boolean> {
    if (stopped.aborted) return true;
    const { endpoint, copies } = to();
    const post = endpoint && (() => postEvent(endpoint, event, now(), stopped));
    const responses = post ? await Promise.all(Array.from({ length: copies }, post)) : [false];
    const arrived = responses.filter(Boolean).length;
    note(event, { ...(arrived > 0 ? { state: 'delivered' } : {}), attempts: responses.length, delivered: arrived });
    return arrived > 0;
  }

  async function repeat(event: Event | ThinEvent): Promise<void> {
    const since = now().getTime();
    note(event, { state: 'waiting' });
    for (let wait = retry.firstMs; !stopped.aborted; wait = Math.min(wait * 2, retry.mostMs)) {
      await pause(wait, stopped);
      if (await attempt(event)) return;
      if (now().getTime() - since >= retry.forMs) return note(event, { state: 'given_up' });
    }
  }
}

export type Deliveries = ReturnType<typeof createDeliveries>;

/** A stop can wait for work that is not awaited. */
function createTracker() {
  const controller = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const settled = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };
  return {
    stopped: controller.signal,
    track<T>(work: Promise<T>): Promise<T> {
      underWay.add(work);
      return work.finally(() => underWay.delete(work));
    },
    settled,
    stop(): Promise<void> {
      controller.abort();
      return settled();
    },
  };
}

interface Attempted {
  readonly state?: Delivery['state'];
  readonly attempts?: number;
  readonly delivered?: number;
}

function noteDelivery(books: Books, { id }: Event | ThinEvent, { state, attempts = 0, delivered = 0 }: Attempted): void {
  const known = books.get('delivery', id);
  books.put<Delivery>({
    id,
    object: 'delivery',
    state: state ?? known?.state ?? 'waiting',
    attempts: (known?.attempts ?? 0) + attempts,
    delivered: (known?.delivered ?? 0) + delivered,
  });
  books.commit();
}
