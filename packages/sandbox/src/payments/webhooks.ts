import { createHmac } from 'node:crypto';
import type { Books, Delivery } from './books.ts';
import { createDraw } from './draw.ts';
import type { Event } from './stripe-shapes.ts';

export interface WebhookEndpoint {
  readonly url: string;
  /** Every event is signed with each of them, as while one secret is being replaced by the next. */
  readonly secrets: readonly string[];
  /** Event types that are sent; `*` for all. Those the platform handles when absent. */
  readonly events?: readonly string[] | undefined;
}

/** How events travel. All of it can be in force at once. */
export interface Travel {
  /** Nothing leaves until it is flushed. */
  readonly hold: boolean;
  /** Share of events that never arrive, 0 to 100, drawn from `seed`. */
  readonly dropPercent: number;
  /** Further copies of each event, sent at the same moment. */
  readonly duplicates: number;
  /** What comes up within `delayMs` (at least 50) of another leaves after it, the latest first. */
  readonly reverse: boolean;
  readonly delayMs: number;
  /** Up to so much more delay, drawn for each event, which mixes their order. */
  readonly jitterMs: number;
  readonly seed: number;
}

export const plainTravel: Travel = { hold: false, dropPercent: 0, duplicates: 0, reverse: false, delayMs: 0, jitterMs: 0, seed: 1 };

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
  /** Resolves after the time, or at once when the signal is aborted. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly retry: Retry;
}

export type FlushOrder = 'as_made' | 'reversed' | 'shuffled';

/** Posts signed events until each is answered with a 2xx. Events overtake each other freely, as Stripe's do. */
export function createWebhooks({ books, now, pause, retry }: WebhookOptions) {
  const stopped = new AbortController();
  const underWay = new Set<Promise<void>>();
  let endpoint: WebhookEndpoint | undefined;
  let travel = plainTravel;
  let draw = createDraw(travel.seed);
  let held: Event[] = [];
  let batch: Event[] | undefined;

  return {
    /** Takes an event that just happened. Without an address, or for a type nobody asked for, it is only recorded. */
    take(event: Event): void {
      if (!endpoint || !wants(endpoint, event)) return;
      note(event, { state: 'waiting' });
      if (travel.hold) {
        note(event, { state: 'held' });
        held.push(event);
      } else if (draw() * 100 < travel.dropPercent) note(event, { state: 'dropped' });
      else if (travel.reverse) gather(event);
      else start(depart(event, travel.delayMs + draw() * travel.jitterMs));
    },
    address(next: WebhookEndpoint | undefined): void {
      endpoint = next;
    },
    travel(next: Partial<Travel>): Travel {
      travel = { ...travel, ...next };
      if (next.seed !== undefined) draw = createDraw(next.seed);
      return travel;
    },
    /** Sends what is held, one after the other, so that the order is kept. Returns how many there were. */
    async flush(order: FlushOrder = 'as_made'): Promise<number> {
      const events = arranged(held, order);
      held = [];
      await oneByOne(events);
      return events.length;
    },
    /** Sends one event once more, whatever became of it before. Resolves when it was tried once; the answer says whether it arrived. */
    async resend(event: Event): Promise<boolean> {
      return arrive(event);
    },
    /** Resumes what a former run left undelivered. */
    resume(): void {
      for (const { id, state } of books.all('delivery')) {
        const event = state === 'waiting' || state === 'held' ? books.get('event', id) : undefined;
        if (event && endpoint) start(depart(event, 0));
      }
    },
    /** Resolves when nothing is on its way any more. What is held does not count. */
    async settled(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async stop(): Promise<void> {
      stopped.abort();
      await Promise.all(underWay);
    },
  };

  function start(work: Promise<void>): void {
    const tracked: Promise<void> = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  }

  function gather(event: Event): void {
    if (batch) {
      batch.push(event);
      return;
    }
    const gathered = [event];
    batch = gathered;
    start(
      pause(Math.max(50, travel.delayMs), stopped.signal).then(() => {
        batch = undefined;
        return oneByOne(gathered.reverse());
      }),
    );
  }

  async function oneByOne(events: readonly Event[]): Promise<void> {
    for (const event of events) if (!(await arrive(event))) start(persist(event));
  }

  async function depart(event: Event, delay: number): Promise<void> {
    if (delay > 0) await pause(delay, stopped.signal);
    if (!(await arrive(event))) await persist(event);
  }

  /** One attempt, with its copies. */
  async function arrive(event: Event): Promise<boolean> {
    if (stopped.signal.aborted) return true;
    const answers = await Promise.all(Array.from({ length: 1 + travel.duplicates }, () => post(event)));
    const arrived = answers.filter(Boolean).length;
    note(event, { state: arrived > 0 ? 'delivered' : 'waiting', attempts: answers.length, delivered: arrived });
    return arrived > 0;
  }

  async function persist(event: Event): Promise<void> {
    const since = now().getTime();
    for (let wait = retry.firstMs; !stopped.signal.aborted; wait = Math.min(wait * 2, retry.mostMs)) {
      await pause(wait, stopped.signal);
      if (await arrive(event)) return;
      if (now().getTime() - since >= retry.forMs) return note(event, { state: 'given_up' });
    }
  }

  async function post(event: Event): Promise<boolean> {
    if (!endpoint) return false;
    const payload = JSON.stringify(event);
    try {
      const response = await fetch(endpoint.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature(payload, endpoint.secrets, now()) },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(10_000)]),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }

  function note(event: Event, what: { state: Delivery['state']; attempts?: number; delivered?: number }): void {
    const known = books.get('delivery', event.id);
    books.put<Delivery>({
      id: event.id,
      object: 'delivery',
      state: what.state,
      attempts: (known?.attempts ?? 0) + (what.attempts ?? 0),
      delivered: (known?.delivered ?? 0) + (what.delivered ?? 0),
    });
    books.commit();
  }

  function arranged(events: readonly Event[], order: FlushOrder): Event[] {
    if (order === 'as_made') return [...events];
    if (order === 'reversed') return events.toReversed();
    return events
      .map((event) => ({ event, at: draw() }))
      .sort((a, b) => a.at - b.at)
      .map(({ event }) => event);
  }
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** The Stripe-Signature header: the time in seconds and, for each secret, the HMAC-SHA256 of time, dot, payload. */
export function signature(payload: string, secrets: readonly string[], at: Date): string {
  const time = Math.floor(at.getTime() / 1000);
  const signed = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex')}`);
  return [`t=${time}`, ...signed].join(',');
}

const handled = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.canceled',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'account.updated',
];

function wants({ events = handled }: WebhookEndpoint, { type }: Event): boolean {
  return events.includes('*') || events.includes(type);
}
