import { randomUUID } from 'node:crypto';
import {
  type DataInputOf,
  directoryCustomer,
  directoryStore,
  type Envelope,
  type Language,
  queueGuest,
  type Receipt,
  type RpcOutput,
  readInvitation,
  readReceipt,
  rpcSubject,
} from '@corner/contracts';
import { type Message, type RunningMessages, startMessages } from '@corner/sandbox/messages';
import { envelopeOf, type FixedClock, fixedClock, testFolder, until } from '@corner/testkit';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../../testing/running.ts';

const MessageRow = z.object({
  template: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
  attempts: z.number(),
  data: z.record(z.string(), z.unknown()),
});
type MessageRow = z.output<typeof MessageRow>;

export interface Reachable {
  readonly email?: string | null;
  readonly email_verified?: boolean;
  readonly devices?: readonly { readonly id: string; readonly platform: 'ios' | 'android' | 'web' }[];
  readonly language?: Language | null;
  readonly phone?: string | null;
}

export interface Guest {
  readonly customerId: string;
  readonly storeId: string;
  readonly email: string;
  readonly phone: string;
}

/**
 * The service with simulated providers, on a fixed clock that stands at 12:00 UTC on a summer day. An order without a receipt in `receipts`
 * has one of one flat white; no reply comes for `lost`. `receiptCalls` has the order ids of each call. The queue refuses an entry_ref that
 * `guestPhones` lacks. `settings` are for another replica.
 *
 * `guest` creates a customer at a store of their own, with an Android phone and an e-mail address by default. `advance` also starts the
 * delivery job. `messagesOf` resolves as soon as all messages of an event are finished, or all match `like`.
 */
export interface Messaging extends AsyncDisposable {
  readonly running: Running;
  readonly sandbox: RunningMessages;
  readonly clock: FixedClock;
  readonly receipts: Map<string, Receipt | 'lost'>;
  readonly receiptCalls: readonly string[][];
  readonly invitations: Map<string, Invitation | 'lost'>;
  readonly settings: Readonly<Record<string, string>>;
  readonly guestPhones: Map<string, string | null>;
  guest(reachable?: Reachable, store?: Partial<DataInputOf<typeof directoryStore>>): Promise<Guest>;
  publish(...envelopes: readonly Envelope[]): Promise<void>;
  advance(by: Parameters<FixedClock['advance']>[0]): void;
  messagesOf(envelope: Envelope, like?: (message: MessageRow) => boolean): Promise<readonly MessageRow[]>;
  received(guest: Guest): readonly Message[];
}

export async function startMessaging(): Promise<Messaging> {
  const clock = fixedClock('2026-06-01T12:00:00Z');
  await using started = new AsyncDisposableStack();
  const folder = started.use(await testFolder());
  const sandbox = started.use(await startMessages({ folder: folder.path, now: clock.now }));
  const settings = sandbox.environment;
  const running = started.use(await startRunning({ now: clock.now, timersHeld: true }, settings));
  const { database } = running.service;
  const receipts = new Map<string, Receipt | 'lost'>();
  const receiptCalls: string[][] = [];
  await answerReceipts(running, receipts, receiptCalls);
  const invitations = new Map<string, Invitation | 'lost'>();
  await answerInvitations(running, invitations);
  const guestPhones = new Map<string, string | null>();
  await answerQueueGuest(running, guestPhones);
  const parts = started.move();

  async function publish(...envelopes: readonly Envelope[]): Promise<void> {
    for (const envelope of envelopes) await running.publish(envelope);
    await running.processed(...envelopes);
  }

  return {
    running,
    sandbox,
    clock,
    receipts,
    receiptCalls,
    invitations,
    settings,
    guestPhones,
    publish,
    async guest(reachable = {}, changes = {}) {
      const [customerId, storeId] = [randomUUID(), randomUUID()];
      const [email, phone] = [`${customerId}@example.com`, `phone-${customerId}`];
      const store = { id: storeId, version: 1, code: 'S1', name: 'Bea’s Bakery', time_zone: 'Europe/Paris', currency: 'EUR', ...changes };
      await publish(envelopeOf(directoryStore, store, { aggregateId: storeId, storeId }), customerSnapshot(customerId, 1, reachable));
      return { customerId, storeId, email, phone };
    },
    advance(by) {
      clock.advance(by);
      running.service.context.messageSignal.raise();
    },
    messagesOf: (envelope, like = ({ state }) => state !== 'pending') =>
      until(
        async () => {
          const messages = await database.any(sql.type(MessageRow)`
            select template, state, reason, attempts, data from message where event_id = ${envelope.id}`);
          return messages.length > 0 && messages.every(like) ? messages : null;
        },
        { describe: `the messages of ${envelope.type}` },
      ),
    received: ({ email, phone }) => sandbox.inbox.all().filter(({ to }) => to === email || to.startsWith(phone)),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

type Invitation = NonNullable<RpcOutput<typeof readInvitation>['invitation']>;

export const receiptOf = (changes: Partial<Receipt> = {}): Receipt => ({
  order_number: 'S1-1001',
  paid_at: '2026-06-01T12:00:00Z',
  currency: 'EUR',
  table_number: null,
  receipt_url: null,
  lines: [{ name: 'Flat white', quantity: 1, unit_price_pence: 1250, sum_pence: 1250 }],
  subtotal_pence: 1250,
  discount_pence: 0,
  tip_pence: 0,
  total_pence: 1250,
  vat: [{ rate_bps: null, net_pence: 1250, vat_pence: 0, gross_pence: 1250 }],
  refunds: [],
  collections: [{ order_number: 'S1-1001', collection_code: '4821', collect_at: '2026-06-01T12:30:00Z' }],
  ...changes,
});

async function answerReceipts({ service }: Running, receipts: ReadonlyMap<string, Receipt | 'lost'>, calls: string[][]): Promise<void> {
  const { broker } = await service.backbone;
  broker.connection.subscribe(broker.subject(rpcSubject(readReceipt)), {
    callback: (_error, request) => {
      const { order_id, others } = readReceipt.input.parse(request.json());
      const asked = [order_id, ...(others ?? []).map((other) => other.order_id)];
      calls.push(asked);
      const [first, ...rest] = asked.map((id) => receipts.get(id) ?? receiptOf());
      if (first === 'lost' || rest.includes('lost')) return;
      request.respond(JSON.stringify({ output: { ...first, ...(others ? { others: rest } : {}) } }));
    },
  });
  await broker.connection.flush();
}

async function answerInvitations({ service }: Running, invitations: ReadonlyMap<string, Invitation | 'lost'>): Promise<void> {
  const { broker } = await service.backbone;
  broker.connection.subscribe(broker.subject(rpcSubject(readInvitation)), {
    callback: (_error, request) => {
      const invitation = invitations.get(readInvitation.input.parse(request.json()).invitation_id) ?? null;
      if (invitation !== 'lost') request.respond(JSON.stringify({ output: { invitation } }));
    },
  });
  await broker.connection.flush();
}

async function answerQueueGuest({ service }: Running, phones: ReadonlyMap<string, string | null>): Promise<void> {
  const { broker } = await service.backbone;
  broker.connection.subscribe(broker.subject(rpcSubject(queueGuest)), {
    callback: (error, request) => {
      if (error) throw error;
      const phone = phones.get(queueGuest.input.parse(request.json()).entry_ref);
      const refusal = { problem: 'QUEUE_ENTRY_NOT_FOUND', message: 'There is no such entry.' };
      request.respond(JSON.stringify(phone === undefined ? refusal : { output: { phone } }));
    },
  });
}

export function customerSnapshot(
  customerId: string,
  version: number,
  { email, email_verified, devices, language = null, phone = null }: Reachable = {},
): Envelope {
  const data = {
    id: customerId,
    version,
    name: 'Ada',
    email: email === undefined ? `${customerId}@example.com` : email,
    ...(email_verified === undefined ? {} : { email_verified }),
    language,
    phone,
    push_devices: [...(devices ?? [{ id: `phone-${customerId}`, platform: 'android' as const }])],
  };
  return envelopeOf(directoryCustomer, data, { aggregateId: customerId, sequence: version, customerId });
}
