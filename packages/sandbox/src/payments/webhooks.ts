import { type Books, eventOf } from './books.ts';
import { createDeliveries, type Deliveries, type WebhookOptions } from './deliveries.ts';
import type { Event, ThinEvent } from './stripe-shapes.ts';
import { arrange, type FlushOrder, named, plainTravel, type Travel } from './travel.ts';
import { type WebhookEndpoint, wants } from './webhook-endpoint.ts';

export function createWebhooks(options: WebhookOptions) {
  let endpoint: WebhookEndpoint | undefined;
  let travel = plainTravel;
  let draw = createDraw(travel.seed);
  const held: (Event | ThinEvent)[] = [];
  const deliveries = createDeliveries(options, () => ({ endpoint, copies: 1 + travel.duplicates }));
  const { gather } = createReversal(deliveries, () => Math.max(50, travel.delayMs));

  return {
    take(event: Event | ThinEvent): void {
      if (!endpoint || !wants(endpoint, event)) return;
      const lost = travel.lose.some((type) => named(event.type, type)) || (!travel.hold && draw() * 100 < travel.dropPercent);
      deliveries.note(event, { state: lost ? 'dropped' : travel.hold ? 'held' : 'waiting' });
      if (lost) return;
      if (travel.hold) held.push(event);
      else if (travel.reverse) gather(event);
      else void deliveries.send(event, travel.delayMs + draw() * travel.jitterMs);
    },
    address(next: WebhookEndpoint | undefined): void {
      endpoint = next;
    },
    travel(next: Partial<Travel>): Travel {
      travel = { ...travel, ...next };
      if (next.seed !== undefined) draw = createDraw(next.seed);
      return travel;
    },
    async flush(order: FlushOrder = 'as_made'): Promise<number> {
      const events = arrange(held.splice(0), order, draw);
      await deliveries.sendInOrder(events);
      return events.length;
    },
    discard(): number {
      const events = held.splice(0);
      for (const event of events) deliveries.note(event, { state: 'dropped' });
      return events.length;
    },
    resend: deliveries.sendOnce,
    resume(): void {
      for (const event of endpoint ? unfinishedIn(options.books) : []) void deliveries.send(event, 0);
    },
    settled: deliveries.settled,
    stop: deliveries.stop,
  };
}

const unfinishedIn = (books: Books): (Event | ThinEvent)[] =>
  [...books.all('delivery')].flatMap(({ id, state }) => (state === 'waiting' || state === 'held' ? (eventOf(books, id) ?? []) : []));

function createReversal({ sendInOrder, wait }: Deliveries, gatherMs: () => number) {
  let batch: (Event | ThinEvent)[] | undefined;
  return {
    gather(event: Event | ThinEvent): void {
      if (batch) return void batch.push(event);
      const gathered = [event];
      batch = gathered;
      void wait(gatherMs(), () => {
        batch = undefined;
        return sendInOrder(gathered.reverse());
      });
    },
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

function createDraw(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
