import type { Books, Delivery } from './books.ts';
import type { Event } from './stripe-shapes.ts';
import { arrange, type FlushOrder, named, plainTravel, type Travel } from './travel.ts';
import { postEvent, type WebhookEndpoint, wants } from './webhook-endpoint.ts';

/** Growing pauses between attempts, and the time after which an event is given up. Stripe's own is three days. */
export interface Retry {
  readonly firstMs: number;
  readonly mostMs: number;
  readonly forMs: number;
}

export const patientRetry: Retry = { firstMs: 200, mostMs: 30_000, forMs: 3 * 24 * 60 * 60 * 1000 };

interface WebhookOptions {
  readonly books: Books;
  readonly now: () => Date;
  /** Resolves after the time, or immediately when the signal is aborted. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly retry: Retry;
}

/** Posts signed events until each gets a 2xx response. Events may overtake each other, as Stripe's do. */
export function createWebhooks({ books, now, pause, retry }: WebhookOptions) {
  const stopped = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  let endpoint: WebhookEndpoint | undefined;
  let travel = plainTravel;
  let draw = createDraw(travel.seed);
  let held: Event[] = [];
  let batch: Event[] | undefined;

  return {
    /** Takes a new event. Without an endpoint, or for a type it does not subscribe to, the event is only recorded. */
    take(event: Event): void {
      if (!endpoint || !wants(endpoint, event)) return;
      const lost = travel.lose.some((type) => named(event.type, type)) || (!travel.hold && draw() * 100 < travel.dropPercent);
      note(event, { state: lost ? 'dropped' : travel.hold ? 'held' : 'waiting' });
      if (lost) return;
      if (travel.hold) {
        held.push(event);
        return;
      }
      if (travel.reverse) gather(event);
      else void track(depart(event, travel.delayMs + draw() * travel.jitterMs));
    },
    address(next: WebhookEndpoint | undefined): void {
      endpoint = next;
    },
    travel(next: Partial<Travel>): Travel {
      travel = { ...travel, ...next };
      if (next.seed !== undefined) draw = createDraw(next.seed);
      return travel;
    },
    /** Sends the held events one after the other, so that their order is kept. Returns how many there were. */
    async flush(order: FlushOrder = 'as_made'): Promise<number> {
      const events = arrange(held, order, draw);
      held = [];
      await track(oneByOne(events));
      return events.length;
    },
    /** Loses the held events. Returns how many there were. */
    discard(): number {
      const events = held;
      held = [];
      for (const event of events) note(event, { state: 'dropped' });
      return events.length;
    },
    /** Sends one event once more, whatever happened to it before. Resolves after one attempt to whether it arrived. */
    resend: (event: Event): Promise<boolean> => track(arrive(event)),
    /** Resumes the deliveries that an earlier process did not finish. */
    resume(): void {
      for (const { id, state } of books.all('delivery')) {
        const event = state === 'waiting' || state === 'held' ? books.get('event', id) : undefined;
        if (event && endpoint) void track(depart(event, 0));
      }
    },
    /** Resolves when no event is being sent. Held events do not count. */
    async settled(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async stop(): Promise<void> {
      stopped.abort();
      await Promise.all(underWay);
    },
  };

  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  }

  function gather(event: Event): void {
    if (batch) {
      batch.push(event);
      return;
    }
    const gathered = [event];
    batch = gathered;
    void track(
      pause(Math.max(50, travel.delayMs), stopped.signal).then(() => {
        batch = undefined;
        return oneByOne(gathered.reverse());
      }),
    );
  }

  async function oneByOne(events: readonly Event[]): Promise<void> {
    for (const event of events) if (!(await arrive(event))) void track(persist(event));
  }

  async function depart(event: Event, delay: number): Promise<void> {
    if (delay > 0) await pause(delay, stopped.signal);
    if (!(await arrive(event))) await persist(event);
  }

  /** One attempt, with its copies. */
  async function arrive(event: Event): Promise<boolean> {
    if (stopped.signal.aborted) return true;
    const to = endpoint;
    const responses = to
      ? await Promise.all(Array.from({ length: 1 + travel.duplicates }, () => postEvent(to, event, now(), stopped.signal)))
      : [false];
    const arrived = responses.filter(Boolean).length;
    note(event, { ...(arrived > 0 ? { state: 'delivered' } : {}), attempts: responses.length, delivered: arrived });
    return arrived > 0;
  }

  async function persist(event: Event): Promise<void> {
    const since = now().getTime();
    note(event, { state: 'waiting' });
    for (let wait = retry.firstMs; !stopped.signal.aborted; wait = Math.min(wait * 2, retry.mostMs)) {
      await pause(wait, stopped.signal);
      if (await arrive(event)) return;
      if (now().getTime() - since >= retry.forMs) return note(event, { state: 'given_up' });
    }
  }

  function note(event: Event, what: { state?: Delivery['state']; attempts?: number; delivered?: number }): void {
    const known = books.get('delivery', event.id);
    books.put<Delivery>({
      id: event.id,
      object: 'delivery',
      state: what.state ?? known?.state ?? 'waiting',
      attempts: (known?.attempts ?? 0) + (what.attempts ?? 0),
      delivered: (known?.delivered ?? 0) + (what.delivered ?? 0),
    });
    books.commit();
  }
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** Makes random numbers from 0 up to 1 that depend on the seed only (Mulberry32), so that a run can be repeated. */
export function createDraw(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
