import { randomUUID } from 'node:crypto';
import { type Envelope, type EventContract, type StampData, stampApproved, stampPending, stampRejected } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { notifyStoresOfStamps } from './jobs.ts';
import { maxAttempts } from './rules/delivery.ts';
import { cardEvents, orderEvents } from './testing/events.ts';
import { type Guest, type Messaging, startMessaging } from './testing/messaging.ts';
import { accountEvents, type ContactedStore, contactedStore } from './testing/store-contacts.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

afterEach(() => messaging.sandbox.controls.clearFaults());

type Row = readonly [string, (guest: Guest) => Envelope, readonly string[], string, RegExp];
const calm = ['fcm', 'smtp'] as const;
const urgent = ['fcm', 'smtp', 'twilio'] as const;

const storeEvents: readonly Row[] = [
  [
    'a refund that failed',
    (g) => orderEvents(g).refundFailed(),
    calm,
    'A refund for order S1-1001 failed',
    /£2\.50.*expired or canceled card/,
  ],
  [
    'a refund that was never accepted',
    (g) => orderEvents(g).refundFailed(1, false),
    calm,
    'A refund for order S1-1001 failed',
    /does not have/,
  ],
  ['a dispute', (g) => orderEvents(g).disputed('opened'), calm, 'Order S1-1001 is disputed', /£12\.50.*until Wed,? 10 Jun, 23:59/],
  ['a dispute that was won', (g) => orderEvents(g).disputed('won'), calm, 'You won the dispute of order S1-1001', /£12\.50/],
  ['a dispute that was lost', (g) => orderEvents(g).disputed('lost'), calm, 'You lost the dispute of order S1-1001', /£12\.50/],
  ['a restricted account', (g) => accountEvents(g).changed(false), urgent, 'Bea’s Bakery cannot take orders', /requirements\.past_due/],
  ['a restored account', (g) => accountEvents(g).changed(true), calm, 'Bea’s Bakery takes orders again', /lifted/],
  [
    'orders that were refused',
    (g) => accountEvents(g).refused(),
    urgent,
    'Bea’s Bakery is losing orders',
    /3 orders were refused since 13:00/,
  ],
];

describe.each(storeEvents)('of %s', (_, createEvent, channels, title, text) => {
  test('a contact is notified once over each of their channels, however often the event is delivered', async () => {
    const { guest, received } = await contactedStore(messaging);
    const event = createEvent(guest);
    await messaging.publish(event, event);
    const messages = await messaging.messagesOf(event);
    await messaging.publish({ ...event });
    expect(messages.filter(({ template }) => template.startsWith('store.'))).toHaveLength(channels.length);
    expect(
      received()
        .map(({ by }) => by)
        .toSorted(),
    ).toEqual(channels);
    for (const message of received())
      expect(message.by === 'twilio' ? message.text : `${message.title}. ${message.text}`).toContain(
        message.by === 'twilio' ? title.replace('’', "'") : title,
      );
    expect(received().every((message) => text.test(message.text))).toBe(true);
  });
});

test('each contact is notified, over the addresses each has, and a contact named twice is notified once', async () => {
  const { guest, setContacts } = await contactedStore(messaging);
  const [ada, bo] = [`ada-${guest.storeId}@example.com`, `bo-${guest.storeId}`];
  await setContacts([
    { email: ada },
    { email: ada.toUpperCase() },
    { push_devices: [{ id: bo, platform: 'android' }] },
    { name: 'No one' },
  ]);
  const event = orderEvents(guest).disputed('opened');
  await messaging.publish(event);
  expect(await messaging.messagesOf(event)).toHaveLength(2);
  expect([messaging.sandbox.inbox.to(ada).length, messaging.sandbox.inbox.to(bo).length]).toEqual([1, 1]);
});

test('a store without contacts gets no message', async () => {
  const guest = await messaging.guest();
  const [disputed, ready] = [orderEvents(guest).disputed('opened'), orderEvents(guest).moved('ready')];
  await messaging.publish(disputed, ready);
  await messaging.messagesOf(ready);
  const rows = await messaging.running.service.database.any(sql.type(z.object({}))`select from message where event_id = ${disputed.id}`);
  expect(rows).toEqual([]);
});

test('a contact who was removed is not notified, and a corrected phone number is used, for a message that waits', async () => {
  const { guest, address, setContacts, received } = await contactedStore(messaging);
  messaging.sandbox.controls.fail({ at: 'twilio', how: 'unavailable', to: address.phone });
  messaging.sandbox.controls.fail({ at: 'smtp', how: 'unavailable', to: address.email });
  messaging.sandbox.controls.fail({ at: 'fcm', how: 'unavailable', to: address.device });
  const event = accountEvents(guest).changed(false);
  await messaging.publish(event);
  await messaging.messagesOf(event, ({ attempts }) => attempts === 1);
  const corrected = '+447700899999';
  await setContacts([{ email: address.email, phone: corrected }]);
  messaging.advance({ seconds: 10 });
  const messages = await messaging.messagesOf(event);
  expect(messages.map(({ state }) => state).toSorted()).toEqual(['muted', 'sent', 'sent']);
  expect(received().map(({ by }) => by)).toEqual(['smtp']);
  expect(messaging.sandbox.inbox.to(corrected)).toHaveLength(1);
});

test('a device of a contact that is gone is not tried again while snapshots name it', async () => {
  const { guest, address, received } = await contactedStore(messaging);
  messaging.sandbox.controls.dropDevice(address.device);
  const first = orderEvents(guest).disputed('opened');
  await messaging.publish(first);
  await messaging.messagesOf(first);
  messaging.sandbox.controls.clearFaults();
  const second = orderEvents(guest).disputed('opened');
  await messaging.publish(second);
  await messaging.messagesOf(second);
  expect(received().map(({ by }) => by)).toEqual(['smtp', 'smtp']);
});

test('one channel that fails keeps no other waiting, and becomes a dead letter that can be retried', async () => {
  const { guest, address, received } = await contactedStore(messaging);
  messaging.sandbox.controls.fail({ at: 'smtp', how: 'unavailable', to: address.email, times: maxAttempts });
  const event = orderEvents(guest).disputed('opened');
  await messaging.publish(event);
  for (let attempt = 1; attempt < maxAttempts; attempt += 1) {
    await messaging.messagesOf(event, ({ attempts, state }) => state === 'sent' || attempts === attempt);
    expect(received().map(({ by }) => by)).toEqual(['fcm']);
    messaging.advance({ hours: 4 });
  }
  expect((await messaging.messagesOf(event)).map(({ state }) => state).toSorted()).toEqual(['failed', 'sent']);
  const letters = await messaging.running.service.database.many(sql.type(z.object({ payload: z.string() }))`
    select payload from dead_letter where payload like ${`%${event.id}%`}`);
  expect(letters).toHaveLength(1);
  expect(letters[0]?.payload).not.toContain(address.email);
});

test('a dispute that was decided before its opening was sent is the only message', async () => {
  const { guest, received } = await contactedStore(messaging);
  const order = orderEvents(guest);
  const [opened, won] = [order.disputed('opened', 3), order.disputed('won', 4)];
  await messaging.publish(won, opened);
  await messaging.messagesOf(won);
  expect(await messaging.messagesOf(opened)).toEqual([1, 2].map(() => expect.objectContaining({ state: 'superseded' })));
  expect(received()).toHaveLength(2);
});

test('a store is written to in its language, and the customer of the same order in theirs', async () => {
  const { guest, address, setContacts, received } = await contactedStore(messaging);
  await setContacts([{ email: address.email }], 'fr');
  const event = orderEvents(guest).refundFailed();
  await messaging.publish(event);
  expect(await messaging.messagesOf(event)).toHaveLength(2);
  expect(received().map(({ title }) => title)).toEqual(['Un remboursement de la commande S1-1001 a échoué']);
  expect(messaging.received(guest)).toHaveLength(1);
});

test('the customer is notified that a refund failed although its message was sent before', async () => {
  const guest = await messaging.guest();
  const order = orderEvents(guest);
  const [refunded, failed] = [order.refunded(3), order.refundFailed(4)];
  await messaging.publish(refunded);
  await messaging.messagesOf(refunded);
  messaging.advance({ hours: 72 });
  await messaging.publish(failed);
  await messaging.messagesOf(failed);
  expect(messaging.received(guest).map(({ title }) => title)).toEqual([
    'Refund for order S1-1001',
    'Your refund for order S1-1001 did not arrive',
  ]);
});

test('no log line contains an address of a contact', () => {
  const lines = JSON.stringify(messaging.running.lines);
  for (const secret of ['owner-', '77008', 'staff-', 'Bea', 'past_due']) expect(lines).not.toContain(secret);
});

describe('the digest of a store', () => {
  let store: ContactedStore;

  beforeEach(async () => {
    store = await contactedStore(messaging);
  });

  async function stamp(event: EventContract<typeof StampData>, id: string, sequence: number): Promise<void> {
    await messaging.publish(cardEvents({ ...store.guest, customerId: randomUUID() }).stamp(event, sequence, 4, id));
  }
  async function wait(): Promise<string> {
    const id = randomUUID();
    await stamp(stampPending, id, 1);
    return id;
  }
  const approve = (id: string) => stamp(stampApproved, id, 2);
  const reject = (id: string) => stamp(stampRejected, id, 2);
  const runJob = (times = 1) => Promise.all(Array.from({ length: times }, () => notifyStoresOfStamps(messaging.running.service.context)));
  const mails = () =>
    store
      .received()
      .filter(({ by }) => by === 'smtp')
      .map(({ title, text }) => `${title}: ${text}`);
  const attempts = () =>
    messaging.running.service.database.anyFirst(sql.type(z.object({ attempts: z.number() }))`
    select attempts from message where store_id = ${store.guest.storeId} and contact_id is not null`);
  const arrived = (count: number) => until(() => (mails().length >= count ? mails() : null), { describe: `${count} mails` });

  describe('stamps that wait for approval', () => {
    test('are those of the store where they were collected, on a card whose home is another store', async () => {
      const home = await messaging.guest();
      const pending = cardEvents(home).stamp(stampPending);
      await messaging.publish({ ...pending, data: Object.assign({}, pending.data, { at_store_id: store.guest.storeId }) });
      await runJob();
      expect(await arrived(1)).toEqual([expect.stringMatching(/^1 stamp waits/)]);
    });

    test('make one message for all of them, by e-mail and push, not one for each', async () => {
      for (let count = 0; count < 5; count += 1) await wait();
      await runJob(4);
      expect(await arrived(1)).toEqual([expect.stringMatching(/^5 stamps wait for approval/)]);
      const channels = () => store.received().map(({ by }) => by);
      await until(() => channels().length >= 2, { describe: 'the push' });
      expect(channels().toSorted()).toEqual(['fcm', 'smtp']);
      // Two replicas that create one digest twice would not be seen in the inbox, where the newer message wins.
      const created = await messaging.running.service.database.any(sql.type(z.object({}))`
      select from message where store_id = ${store.guest.storeId} and template = 'store.stamps_waiting'`);
      expect(created).toHaveLength(2);
    });

    test('make another message after the period only, and none while none waits', async () => {
      const first = await wait();
      await runJob();
      await arrived(1);
      await wait();
      messaging.advance({ minutes: 239 });
      await runJob();
      messaging.advance({ minutes: 1 });
      await runJob();
      expect(await arrived(2)).toEqual([expect.stringMatching(/^1 stamp waits/), expect.stringMatching(/^2 stamps wait/)]);
      const second = await wait();
      await approve(first);
      await reject(second);
      messaging.advance({ minutes: 240 });
      await runJob();
      expect((await arrived(4)).slice(2).toSorted()).toEqual([
        expect.stringMatching(/^1 stamp waits/),
        expect.stringMatching(/^Stamps were reviewed: At Bea’s Bakery, 1 approved and 1 rejected\./),
      ]);
    });

    test('make no message when the last one was reviewed before it was sent', async () => {
      const { address } = store;
      messaging.sandbox.controls.fail({ at: 'smtp', how: 'unavailable', to: address.email });
      messaging.sandbox.controls.fail({ at: 'fcm', how: 'unavailable', to: address.device });
      const id = await wait();
      await runJob();
      await until(async () => (await attempts()).length === 2 && (await attempts()).every((count) => count === 1), {
        describe: 'the attempts that fail',
      });
      await approve(id);
      messaging.advance({ seconds: 20 });
      await runJob();
      expect(await arrived(1)).toEqual([expect.stringMatching(/^Stamps were reviewed/)]);
    });
  });

  describe('a review', () => {
    test('is reported to the contacts with the reviews around it, after a pause of ten seconds', async () => {
      const [one, two, three] = [await wait(), await wait(), await wait()];
      await runJob();
      await arrived(1);
      await approve(one);
      await approve(two);
      messaging.advance({ seconds: 9 });
      await reject(three);
      messaging.advance({ seconds: 9 });
      await runJob();
      messaging.advance({ seconds: 1 });
      await runJob(4);
      expect((await arrived(2)).slice(1)).toEqual([
        expect.stringMatching(/^Stamps were reviewed: At Bea’s Bakery, 2 approved and 1 rejected\./),
      ]);
    });

    test('is not reported of a stamp that was approved without waiting, also when the event of its wait arrives late', async () => {
      const id = randomUUID();
      await approve(id);
      await stamp(stampPending, id, 1);
      await approve(id);
      messaging.advance({ minutes: 10 });
      await runJob();
      const other = await wait();
      await runJob();
      expect(await arrived(1)).toEqual([expect.stringMatching(/^1 stamp waits/)]);
      await approve(other);
    });
  });
});
