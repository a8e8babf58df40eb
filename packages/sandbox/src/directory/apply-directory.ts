import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type DirectoryFile,
  dataSchemaOf,
  directoryBooking,
  directoryCustomer,
  directoryFloor,
  directoryMenu,
  directoryProgramme,
  directorySlots,
  directoryStaff,
  directoryStore,
  type Envelope,
  type EventContract,
  services,
  streamOf,
  subjectOf,
} from '@corner/contracts';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { parseDirectory } from './parse-directory.ts';
import { waitUntilProcessed } from './wait-until-processed.ts';

export interface ApplyOptions {
  readonly connection: NatsConnection;
  /** Prefix of streams and subjects; none by default. */
  readonly namespace?: string;
  readonly now?: () => Date;
  readonly newId?: () => string;
  /** Milliseconds the services may take, 60,000 by default. */
  readonly withinMs?: number;
}

export interface Applied {
  /** Number of published events, by kind. */
  readonly published: Readonly<Record<string, number>>;
  /** The version of all of them. */
  readonly version: number;
}

/**
 * Publishes directory data and resolves when every service has processed all of it. The whole file is checked first: when it has
 * a fault, {@link DirectoryFaults} is thrown and nothing is published. Rejects with the names of services that lag behind.
 */
export async function applyDirectory(content: unknown, options: ApplyOptions): Promise<Applied> {
  const { connection, namespace = '', now = () => new Date(), newId = randomUUID, withinMs = 60_000 } = options;
  const file = parseDirectory(content);
  const at = now();
  // Milliseconds since 1970: a later publication has a higher version without a query.
  const version = at.getTime();
  const events = eventsOf(file, version, at, newId);
  await publishEvents(connection, namespace, events, withinMs);
  await waitUntilProcessed(
    { connection, namespace, services, withinMs },
    events.map(({ envelope }) => envelope.id),
  );
  const published = Object.fromEntries(
    Object.entries(file).flatMap(([kind, entries]) => (entries.length > 0 ? [[kind, entries.length]] : [])),
  );
  return { published, version };
}

/** Stores come first, so that a store is known before anything that refers to it. */
function eventsOf(file: DirectoryFile, version: number, at: Date, newId: () => string): Outgoing[] {
  const ofStore = (event: EventContract, entries: readonly { readonly store_id: string }[]) =>
    entries.map((entry) => outgoing(event, entry.store_id, entry.store_id, entry));
  const outgoing = (event: EventContract, subject: string, storeId: string | undefined, data: object): Outgoing => ({
    subject: subjectOf('directory', event, subject),
    envelope: {
      specversion: '1.0',
      id: newId(),
      source: '/directory',
      type: event.type,
      dataschema: dataSchemaOf(event),
      subject,
      time: at.toISOString(),
      datacontenttype: 'application/json',
      sequence: version,
      ...(storeId ? { storeid: storeId } : {}),
      data: { ...data, version },
    },
  });
  return [
    ...file.stores.map((store) => outgoing(directoryStore, store.id, store.id, store)),
    ...ofStore(directoryMenu, file.menus),
    ...ofStore(directorySlots, file.slots),
    ...ofStore(directoryProgramme, file.programmes),
    ...ofStore(directoryFloor, file.floors),
    ...file.bookings.map((booking) => outgoing(directoryBooking, booking.id, booking.store_id, booking)),
    ...file.customers.map((customer) => outgoing(directoryCustomer, customer.id, undefined, customer)),
    ...file.staff.map((member) => outgoing(directoryStaff, member.id, undefined, member)),
  ];
}

/** Registers connected accounts at the payment simulator at `paymentsUrl`, as a merchant's onboarding does at Stripe. */
export async function registerAccounts(paymentsUrl: string, accounts: readonly string[]): Promise<void> {
  for (const account of accounts) {
    const response = await fetch(`${paymentsUrl}/_sim/register-account`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ account }),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new Error(`the payment simulator did not accept the account ${account}: ${await response.text()}`);
  }
}

/** An event and its subject. */
interface Outgoing {
  readonly subject: string;
  readonly envelope: Envelope;
}

/** Milliseconds between attempts while no service has made the stream yet. */
const againMs = 50;

/**
 * Publishes directory events in order. Their ids are their message ids, so that an event sent again after a lost acknowledgement is
 * stored once. The consuming services make the stream: until one has, this waits, for `withinMs` at most.
 */
async function publishEvents(connection: NatsConnection, namespace: string, events: readonly Outgoing[], withinMs: number): Promise<void> {
  const js = jetstream(connection);
  const deadline = performance.now() + withinMs;
  for (;;) {
    const sent = await Promise.allSettled(
      events.map(({ subject, envelope }) =>
        js.publish(`${namespace}${subject}`, JSON.stringify(envelope), { msgID: envelope.id, timeout: 5_000 }),
      ),
    );
    const fault = sent.find((one) => one.status === 'rejected')?.reason;
    if (fault === undefined) return;
    if (performance.now() > deadline) {
      const stream = `${namespace.toUpperCase()}${streamOf('directory')}`;
      throw new Error(`the stream ${stream} does not take events: ${fault instanceof Error ? fault.message : String(fault)}`, {
        cause: fault,
      });
    }
    await pause(againMs);
  }
}
