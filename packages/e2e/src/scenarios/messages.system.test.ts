import { randomUUID } from 'node:crypto';
import { until } from '@corner/testkit';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Barber, barberOf, calledTitle } from '../testing/barber.ts';
import { checkAtRest } from '../testing/checker.ts';
import { openStoreLike } from '../testing/own-store.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

const missedTitle = 'You missed your turn';
const store = { name: `Cuts ${randomUUID()}`, contact: `${randomUUID()}@example.com` };

let environment: TestEnvironment;
let barber: Barber;
let customers: string[];

beforeAll(async () => {
  environment = await sharedEnvironment();
  const contacts = [{ name: 'Bo', email: store.contact }];
  const { id } = await openStoreLike('cuts', environment.system, { name: store.name, contacts });
  barber = barberOf(environment, id);
  customers = await barber.newCustomers(9);
});
afterEach(async () => {
  await barber.clearFaults();
});
const nextCustomer = () => {
  const customerId = customers.pop();
  if (customerId === undefined) throw new Error('all prepared customers are used up');
  return customerId;
};

const everythingOff = {
  messagesMuted: true,
  classReminders: false,
  classEventsEnabled: false,
  voucherEventsEnabled: false,
  stampEventsEnabled: false,
  membershipEventsEnabled: false,
  penaltyEventsEnabled: false,
  marketingEnabled: false,
};

test('with every preference off a customer receives the message of a call and none of a missed turn', async () => {
  const customerId = nextCustomer();
  const { move, setPreferences } = await barber.join(customerId);
  await setPreferences(everythingOff);
  await move('call');
  await barber.untilReceived(customerId, calledTitle);
  await move('no-show');
  await barber.untilLastMessage(customerId, { template: 'queue.no_show', state: 'muted', reason: 'unwanted' });
  expect(await barber.titles(customerId)).toEqual([calledTitle]);
});

test('a customer who wants penalty messages receives one of a missed turn', async () => {
  const customerId = nextCustomer();
  const { move, setPreferences } = await barber.join(customerId);
  await setPreferences({ ...everythingOff, penaltyEventsEnabled: true });
  await move('call');
  await barber.untilReceived(customerId, calledTitle);
  await move('no-show');
  await barber.untilReceived(customerId, calledTitle, missedTitle);
});

test('a guest gets a text when they are called, on the number that they gave when they joined, and staff read the answer', async () => {
  const phone = '+447700900555';
  const { move } = await barber.join(null, { guest_phone: phone });
  await move('call');
  await until(async () => (await barber.inbox(`?to=${encodeURIComponent(phone)}`)).length === 1, { describe: 'the text of the call' });
  const [text] = await barber.inbox(`?to=${encodeURIComponent(phone)}`);
  expect(text).toMatchObject({
    channel: 'sms',
    text: expect.stringMatching(new RegExp(`^It is your turn\\. ${store.name} is holding your place until`)),
  });
  expect(await barber.answer(phone, 'Two minutes!')).toMatchObject({ status: 200 });
  expect(await barber.answers()).toMatchObject([{ customer_id: null, text: 'Two minutes!' }]);
  await move('no-show');
  const metrics = async () => await (await fetch(`${environment.system.services.notifications.url}/metrics`)).text();
  const counted = /^corner_message_delivery_duration_seconds_count\{[^}]*corner_channel="sms"[^}]*corner_outcome="ok"[^}]*\} [1-9]/m;
  await until(async () => counted.test(await metrics()), { describe: 'the text is counted' });
});

test('the store’s contact is notified that a stamp was approved', async () => {
  const customerId = nextCustomer();
  await barber.approveStamp(customerId);
  const reports = async () => (await barber.inbox(`?to=${store.contact}`)).filter(({ title }) => title === 'Stamps were reviewed');
  await until(async () => (await reports()).length === 1, { describe: 'the report of the review' });
  expect((await reports())[0]?.text).toContain(`At ${store.name}, 1 approved and 0 rejected.`);
});

test('a guest who gave no number gets no message', async () => {
  const countOfStore = async () => (await barber.inbox()).filter(({ text }) => text.includes(store.name)).length;
  const countBefore = await countOfStore();
  const { entryId, move } = await barber.join(null);
  await move('call');
  await move('no-show');
  const states = () =>
    barber.rows<{ state: string; reason: string }>(
      `select state, reason from notifications.message where topic = (select 'queue:' || id from queue.entry where entry_id = $1)`,
      [entryId],
    );
  await until(async () => (await states()).filter(({ state }) => state !== 'pending').length === 2, {
    describe: 'both messages are settled',
  });
  expect((await states()).every(({ state }) => state === 'muted' || state === 'superseded')).toBe(true);
  expect(countBefore).toBeGreaterThan(0);
  expect(await countOfStore()).toBe(countBefore);
});

test('a call that is recalled before its message was sent sends no message', async () => {
  const customerId = nextCustomer();
  const { move } = await barber.join(customerId);
  await barber.failNextPush(customerId);
  await move('call');
  await barber.untilLastMessage(customerId, { state: 'pending', attempts: 1 });
  await move('recall');
  await barber.untilLastMessage(customerId, { state: 'superseded', reason: 'newer' });
  expect(await barber.received(customerId)).toEqual([]);
});

// The walk of crashes covers the crash between sending and recording.
describe('crashes', () => {
  beforeAll(() => environment.system.services.notifications.restart({ spawned: true }));
  const killNotifications = async () => {
    const { notifications } = environment.system.services;
    notifications.kill();
    await notifications.exited;
    return notifications;
  };
  afterEach(async () => {
    expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
  });

  test('kill -9 of notifications before it consumes the event: the message arrives once', async () => {
    const customerId = nextCustomer();
    const { move } = await barber.join(customerId);
    const notifications = await killNotifications();
    await move('call');
    await notifications.restart();
    await barber.untilReceived(customerId, calledTitle);
  });

  test('a crash of notifications between the message row and the acknowledgement: the message arrives once', async () => {
    const customerId = nextCustomer();
    const { move } = await barber.join(customerId);
    const { notifications } = environment.system.services;
    await notifications.restart({ env: { CRASH_AT: 'consumer.before-ack' } });
    await barber.failNextPush(customerId);
    await move('call');
    expect(await notifications.exited).toMatchObject({ signal: 'SIGKILL' });
    await barber.expireLeases();
    await notifications.restart();
    await barber.untilLastMessage(customerId, { state: 'sent' });
    expect(await barber.titles(customerId)).toEqual([calledTitle]);
  });

  test('kill -9 of notifications with a message pending: the message arrives once', async () => {
    const customerId = nextCustomer();
    const { move } = await barber.join(customerId);
    await barber.failNextPush(customerId);
    await move('call');
    await barber.untilLastMessage(customerId, { state: 'pending', attempts: 1 });
    await (await killNotifications()).restart();
    await barber.untilReceived(customerId, calledTitle);
    await barber.untilLastMessage(customerId, { state: 'sent', attempts: 2 });
  });

  test.each(['nats', 'postgres'] as const)(
    'kill -9 of %s with a message pending: only the newest message arrives, once',
    async (server) => {
      const customerId = nextCustomer();
      const { move } = await barber.join(customerId);
      await barber.failNextPush(customerId);
      await move('call');
      await barber.untilLastMessage(customerId, { state: 'pending', attempts: 1 });
      // On a busy machine the next attempt may otherwise come before the newer event.
      const later = `update notifications.message set due_at = now() + interval '1 hour' where state = 'pending' and customer_id = $1`;
      await barber.rows(later, [customerId]);
      environment.system[server].kill();
      await environment.system[server].exited;
      const missing = server === 'nats' ? move('no-show') : null;
      await environment.system[server].restart();
      await (missing ?? move('no-show'));
      // The newer event supersedes the pending message of the call.
      await barber.untilLastMessage(customerId, { template: 'queue.no_show', state: 'sent' });
      await barber.untilReceived(customerId, missedTitle);
      expect((await barber.messageRows(customerId)).map(({ state }) => state)).toEqual(['superseded', 'sent']);
    },
  );
});
