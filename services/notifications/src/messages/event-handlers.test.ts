import { randomUUID } from 'node:crypto';
import { type Envelope, stampApproved, voucherMinted } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { cardEvents, customerSeenEvent, customerSnapshot, orderEvents, orderPaidEvent, storeSnapshot } from './testing/events.ts';
import { messageEvents } from './testing/message-events.ts';
import { type Messaging, startMessaging } from './testing/messaging.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
  // At its start the consumer reads the directory itself, and would process its next deliveries a second time.
  const { consumers } = await messaging.running.service.backbone;
  await until(() => consumers.state.pulling.has('directory'), { describe: 'the consumer to pull the directory' });
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

describe('statements', () => {
  const kinds: readonly (readonly [string, RegExp])[] = [
    ['inbox', /into inbox/],
    ['record', /into topic.*into message/s],
    ['cards', /into pass_card/],
    ['other', /./],
  ];

  async function statementsOf(event: Envelope): Promise<readonly (string | undefined)[]> {
    messaging.running.statements.length = 0;
    await messaging.publish(event);
    return messaging.running.statements.map((text) => kinds.find(([, pattern]) => pattern.test(text))?.[0]);
  }

  /** Counts the statements by which the delivery job has finished messages so far. The tests of the deliverer cover a lease. */
  const writes = () => messaging.running.backgroundStatements.filter((text) => text.includes('update message')).length;

  test('a paid order whose receipt is sent takes two statements to record, and one to finish', async () => {
    const guest = await messaging.guest();
    const event = orderEvents(guest).paid();
    const before = writes();
    expect(await statementsOf(event)).toEqual(['inbox', 'record']);
    expect(await messaging.messagesOf(event)).toEqual([expect.objectContaining({ state: 'sent' })]);
    expect(writes() - before).toBe(1);
  });

  test('a paid order of a customer without an address takes two statements, and its message says why it was not sent', async () => {
    const guest = await messaging.guest({ email: null, devices: [] });
    const event = orderEvents(guest).paid();
    expect(await statementsOf(event)).toEqual(['inbox', 'record']);
    expect(await messaging.messagesOf(event)).toEqual([expect.objectContaining({ state: 'muted', reason: 'unreachable', attempts: 0 })]);
  });

  test('an approved stamp takes three statements to record, and one to finish once its message is due', async () => {
    const guest = await messaging.guest();
    const event = cardEvents(guest).stamp(stampApproved);
    const before = writes();
    expect(await statementsOf(event)).toEqual(['inbox', 'record', 'cards']);
    messaging.advance({ seconds: 3 });
    expect(await messaging.messagesOf(event)).toEqual([expect.objectContaining({ state: 'sent' })]);
    expect(writes() - before).toBe(1);
  });

  test('a batch of events of different customers takes as many statements as one event', async () => {
    const guests = await Promise.all(Array.from({ length: 12 }, () => messaging.guest({ email: null, devices: [] })));
    const events = guests.map((guest) => orderEvents(guest).paid());
    const { database } = messaging.running.service;
    messaging.running.statements.length = 0;
    await Promise.all(events.map((event) => messaging.running.publish(event)));
    await messaging.running.processed(...events);
    const recorded = messaging.running.statements.filter((text) => text.includes('into interaction')).length;
    const batches = messaging.running.statements.filter((text) => text.includes('into inbox')).length;
    expect(recorded).toBe(batches);
    const rows = await database.any(sql.type(z.object({ state: z.string() }))`
    select state from message where event_id = any(${sql.array(
      events.map(({ id }) => id),
      'uuid',
    )})`);
    expect(rows.map(({ state }) => state)).toEqual(events.map(() => 'muted'));
  });

  test('events of a batch that meet on a customer’s store, a topic and a stamp are recorded together', async () => {
    const guest = await messaging.guest();
    const card = cardEvents(guest);
    const id = '0190a000-0000-7000-8000-00000000abcd';
    const [one, again, next] = [card.stamp(stampApproved, 1, 1, id), card.stamp(stampApproved, 2, 1, id), card.stamp(stampApproved, 3, 2)];
    await Promise.all([one, again, next].map((event) => messaging.running.publish(event)));
    await messaging.running.processed(one, again, next);
    messaging.advance({ seconds: 3 });
    await until(async () => messaging.received(guest).length > 0, { describe: 'the message of the newest' });
    for (const event of [one, again]) expect(await messaging.messagesOf(event)).toEqual([expect.objectContaining({ state: 'superseded' })]);
    expect(await messaging.messagesOf(next)).toEqual([expect.objectContaining({ state: 'sent' })]);
  });
});

test('stamps that were brought from another system, and the vouchers they earn, make no message', async () => {
  const guest = await messaging.guest();
  const card = cardEvents(guest);
  const [stamp, voucher] = [card.stamp(stampApproved), card.voucher(voucherMinted, 2)];
  const imported = [
    { ...stamp, data: Object.assign({}, stamp.data, { source: 'import' }) },
    { ...voucher, data: Object.assign({}, voucher.data, { by_import: true }) },
  ];
  await messaging.publish(...imported);
  for (const event of [card.stamp(stampApproved, 3), card.voucher(voucherMinted, 4)]) {
    await messaging.publish(event);
    messaging.advance({ seconds: 3 });
    await messaging.messagesOf(event);
  }
  const events = await messaging.running.service.database.anyFirst(
    sql.type(z.object({ event_id: z.string() }))`select event_id from message where customer_id = ${guest.customerId}`,
  );
  expect([events.length, imported.some(({ id }) => events.includes(id))]).toEqual([2, false]);
});

/** Moves the clock back at the end, so that no call has expired. */
const finishedMessages = async (event: Envelope) => {
  messaging.advance({ seconds: 3 });
  const messages = await messaging.messagesOf(event);
  messaging.clock.advance({ seconds: -3 });
  return messages;
};

describe.each(messageEvents)('%s', (_, createEvent, by, _toggle, title, text) => {
  test('sends the customer one message, however often it is delivered', async () => {
    const guest = await messaging.guest();
    const event = createEvent(guest);
    await messaging.publish(event, event, event);
    expect(await finishedMessages(event)).toEqual([expect.objectContaining({ state: 'sent', attempts: 1 })]);
    const again = { ...event, id: event.id };
    await messaging.publish(again);
    expect(messaging.received(guest)).toEqual([expect.objectContaining({ by, title, text: expect.stringMatching(text) })]);
  });
});

async function publishInOrder(...envelopes: readonly Envelope[]): Promise<void> {
  for (const envelope of envelopes) {
    await messaging.running.publish(envelope);
    await messaging.running.processed(envelope);
  }
}

/**
 * Publishes events in order, each processed before the next, and then all of them again. The last event is processed after the repeats,
 * since events of one aggregate are processed in order.
 */
async function publishTwice(envelopes: readonly Envelope[]): Promise<void> {
  await publishInOrder(...envelopes);
  const after = { ...(envelopes.at(-1) as Envelope), id: randomUUID() };
  for (const envelope of [...envelopes, after]) await messaging.running.publish(envelope);
  await messaging.running.processed(after);
}

const orders = [
  ['in order', [1, 2, 3]],
  ['in reverse', [3, 2, 1]],
  ['mixed', [2, 3, 1]],
] as const;

describe.each(orders)('snapshots that arrive %s, each of them twice', (_, versions) => {
  test('the newest version of the store is stored', async () => {
    const id = randomUUID();
    await publishTwice(versions.map((version) => storeSnapshot(id, version)));
    const Stored = z.object({ version: z.number(), name: z.string() });
    expect(await messaging.running.service.database.many(sql.type(Stored)`select version, name from store where id = ${id}`)).toEqual([
      { version: 3, name: 'Version 3' },
    ]);
  });

  test('the newest version of the customer is stored', async () => {
    const id = randomUUID();
    await publishTwice(versions.map((version) => customerSnapshot(id, version)));
    const Stored = z.object({ version: z.number(), name: z.string(), email: z.string(), devices: z.number() });
    expect(
      await messaging.running.service.database.many(sql.type(Stored)`
        select version, name, email, jsonb_array_length(push_devices) as devices from customer where id = ${id}`),
    ).toEqual([{ version: 3, name: 'Version 3', email: 'version.3@example.test', devices: 3 }]);
  });
});

const InteractionRow = z.object({ store_id: z.string(), first: z.string(), last: z.string() });
const interactionsOf = (customerId: string) =>
  messaging.running.service.database.any(sql.type(InteractionRow)`
    select store_id, to_char(first_at at time zone 'utc', 'HH24:MI') as first, to_char(last_at at time zone 'utc', 'HH24:MI') as last
    from interaction
    where customer_id = ${customerId}
    order by first_at`);

describe('interactions of a customer with a store', () => {
  const [noon, one, two] = ['2026-05-01T12:00:00Z', '2026-05-01T13:00:00Z', '2026-05-01T14:00:00Z'] as const;

  test('an interaction is recorded when loyalty publishes customer.seen', async () => {
    const [customerId, storeId] = [randomUUID(), randomUUID()];
    await publishInOrder(customerSeenEvent(customerId, storeId, noon));
    expect(await interactionsOf(customerId)).toEqual([{ store_id: storeId, first: '12:00', last: '12:00' }]);
  });

  test('an interaction is recorded when an order is paid', async () => {
    const [customerId, storeId] = [randomUUID(), randomUUID()];
    await publishInOrder(orderPaidEvent(customerId, storeId, noon));
    expect(await interactionsOf(customerId)).toEqual([{ store_id: storeId, first: '12:00', last: '12:00' }]);
  });

  test('a sale to someone who is not known makes neither an interaction nor a message', async () => {
    const [sale, storeId] = [randomUUID(), randomUUID()];
    const { customerid: _, data, ...event } = orderPaidEvent(sale, storeId, noon);
    await publishInOrder({ ...event, data: { ...(data as object), without_customer: true } });
    expect(await interactionsOf(sale)).toEqual([]);
    const messages = sql.type(z.object({ id: z.string() }))`select id from message where store_id = ${storeId}`;
    expect(await messaging.running.service.database.any(messages)).toEqual([]);
  });

  test('one row per store has the first and the last interaction, in whatever order and however often events arrive', async () => {
    const [customerId, storeId, elsewhere] = [randomUUID(), randomUUID(), randomUUID()];
    const events = [
      orderPaidEvent(customerId, storeId, two),
      customerSeenEvent(customerId, storeId, noon),
      orderPaidEvent(customerId, storeId, one),
    ];
    await publishInOrder(...events);
    for (const envelope of events) await messaging.running.publish(envelope);
    await publishInOrder(orderPaidEvent(customerId, elsewhere, two), { ...customerSeenEvent(customerId, elsewhere, two) });
    expect(await interactionsOf(customerId)).toEqual([
      { store_id: storeId, first: '12:00', last: '14:00' },
      { store_id: elsewhere, first: '14:00', last: '14:00' },
    ]);
  });
});

test('an event that is delivered twice has its effect once', async () => {
  const [customerId, storeId] = [randomUUID(), randomUUID()];
  const event = customerSeenEvent(customerId, storeId, '2026-05-01T12:00:00Z');
  await publishInOrder(event);
  // Only a second effect could insert the row again.
  await messaging.running.service.database.query(sql.type(z.object({}))`delete from interaction where customer_id = ${customerId}`);
  const after = customerSeenEvent(customerId, randomUUID(), '2026-05-01T12:00:00Z');
  await messaging.running.publish(event);
  await publishInOrder(after);
  expect((await interactionsOf(customerId)).map(({ store_id }) => store_id)).toEqual([after.storeid]);
});

test('no log line contains a customer’s name or address', async () => {
  const id = randomUUID();
  await publishInOrder(customerSnapshot(id, 7));
  expect(JSON.stringify(messaging.running.lines)).not.toContain('version.7@example.test');
  expect(JSON.stringify(messaging.running.lines)).not.toContain('Version 7');
});
