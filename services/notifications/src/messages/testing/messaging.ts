import { randomUUID } from 'node:crypto';
import { directoryCustomer, directoryStore, type Envelope } from '@corner/contracts';
import { type Message, type RunningMessages, startMessages } from '@corner/sandbox';
import { envelopeOf, type FixedClock, fixedClock, testFolder, until } from '@corner/testkit';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../../testing/running.ts';

const Errand = z.object({
  template: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
  attempts: z.number(),
  facts: z.record(z.string(), z.unknown()),
});
export type Errand = z.output<typeof Errand>;

export interface Reachable {
  readonly email?: string | null;
  readonly devices?: readonly { readonly id: string; readonly platform: 'ios' | 'android' | 'web' }[];
}

/** Somebody at a store, both known to the directory. */
export interface Guest {
  readonly customerId: string;
  readonly storeId: string;
  readonly email: string;
  readonly phone: string;
}

/** The service with the far sides of its channels, on a clock that stands still. */
export interface Messaging extends AsyncDisposable {
  readonly running: Running;
  readonly messages: RunningMessages;
  readonly clock: FixedClock;
  /** Settings of the channels, for another worker. */
  readonly settings: Readonly<Record<string, string>>;
  /** Makes a customer with an Android phone and an e-mail address of their own, or with what is named, at a store of their own. */
  guest(reachable?: Reachable): Promise<Guest>;
  /** Lets the service be told, and waits until it has worked everything through. */
  publish(...envelopes: readonly Envelope[]): Promise<void>;
  /** Moves the clock on and has whoever delivers look at once. */
  advance(by: Parameters<FixedClock['advance']>[0]): void;
  /** Resolves with the errands an event made as soon as none of them is as it was made, or as soon as they are `like` that. */
  errandsOf(envelope: Envelope, like?: (errand: Errand) => boolean): Promise<readonly Errand[]>;
  /** What a guest has received, in order. */
  received(guest: Guest): readonly Message[];
}

/** Starts it all. The clock stands at 12:00 UTC of a summer day. */
export async function startMessaging(): Promise<Messaging> {
  const clock = fixedClock('2026-06-01T12:00:00Z');
  await using started = new AsyncDisposableStack();
  const folder = started.use(await testFolder());
  const messages = started.use(await startMessages({ folder: folder.path, now: clock.now }));
  const settings = messages.environment;
  const running = started.use(await startRunning({ now: clock.now }, settings));
  const { database } = running.service;
  const parts = started.move();

  async function publish(...envelopes: readonly Envelope[]): Promise<void> {
    for (const envelope of envelopes) await running.publish(envelope);
    await running.processed(...envelopes);
  }

  return {
    running,
    messages,
    clock,
    settings,
    publish,
    async guest(reachable = {}) {
      const [customerId, storeId] = [randomUUID(), randomUUID()];
      const [email, phone] = [`${customerId}@example.com`, `phone-${customerId}`];
      const store = { id: storeId, version: 1, code: 'S1', name: 'Bea’s Bakery', time_zone: 'Europe/Paris', currency: 'EUR' };
      await publish(envelopeOf(directoryStore, store, { aggregateId: storeId, storeId }), customerSnapshot(customerId, 1, reachable));
      return { customerId, storeId, email, phone };
    },
    advance(by) {
      clock.advance(by);
      running.service.context.errands.raise();
    },
    errandsOf: (envelope, like = ({ state }) => state !== 'pending') =>
      until(
        async () => {
          const errands = await database.any(sql.type(Errand)`
            select template, state, reason, attempts, facts from errand where event_id = ${envelope.id}`);
          return errands.length > 0 && errands.every(like) ? errands : null;
        },
        { describe: `errands of ${envelope.type}` },
      ),
    received: ({ email, phone }) => messages.inbox.all().filter(({ to }) => to === email || to.startsWith(phone)),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** What the directory says of how a customer can be reached: an Android phone and an e-mail address when nothing else is named. */
export function customerSnapshot(customerId: string, version: number, { email, devices }: Reachable = {}): Envelope {
  const data = {
    id: customerId,
    version,
    name: 'Ada',
    email: email === undefined ? `${customerId}@example.com` : email,
    push_devices: [...(devices ?? [{ id: `phone-${customerId}`, platform: 'android' as const }])],
  };
  return envelopeOf(directoryCustomer, data, { aggregateId: customerId, sequence: version, customerId });
}
