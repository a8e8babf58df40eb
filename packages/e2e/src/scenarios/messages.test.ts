import { until } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Barber, barberOf } from '../testing/barber.ts';
import { checkAtRest } from '../testing/checker.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

const called = 'It is your turn';
const missed = 'You missed your turn';

let environment: TestEnvironment;
let barber: Barber;
let customers: string[];

beforeAll(async () => {
  environment = await startTestEnvironment();
  barber = barberOf(environment);
  customers = await barber.newCustomers(10);
});
afterEach(async () => {
  await barber.clearFaults();
});
afterAll(async () => {
  await environment[Symbol.asyncDispose]();
});

const nextCustomer = () => {
  const customerId = customers.pop();
  if (customerId === undefined) throw new Error('every customer has been taken');
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

test('a call comes through although everything is switched off; a missed turn does not', async () => {
  const customerId = nextCustomer();
  const { move, setPreferences } = await barber.join(customerId);
  await setPreferences(everythingOff);
  await move('call');
  await barber.untilReceived(customerId, called);
  await move('no-show');
  await barber.untilLastMessage(customerId, { template: 'queue.no_show', state: 'muted', reason: 'unwanted' });
  expect(await barber.titles(customerId)).toEqual([called]);
});

test('a missed turn is told where that is wanted', async () => {
  const customerId = nextCustomer();
  const { move, setPreferences } = await barber.join(customerId);
  await setPreferences({ ...everythingOff, penaltyEventsEnabled: true });
  await move('call');
  await barber.untilReceived(customerId, called);
  await move('no-show');
  await barber.untilReceived(customerId, called, missed);
});

test('a guest without an account is sent nothing', async () => {
  const before = (await barber.inbox()).length;
  const { entryId, move } = await barber.join(null);
  await move('call');
  await move('no-show');
  const unprocessed = () =>
    barber.rows(
      `select 1 from queue.entry e join queue.outbox o on o.aggregate_id = e.id::text
      where e.entry_id = $1 and o.type <> 'queue.joined' and not exists (select 1 from notifications.inbox i where i.event_id = o.event_id)`,
      [entryId],
    );
  await until(async () => (await unprocessed()).length === 0, { describe: 'all of it heard' });
  const made = `select 1 from notifications.errand where topic = (select 'queue:' || id from queue.entry where entry_id = $1)`;
  expect(await barber.rows(made, [entryId])).toEqual([]);
  expect(await barber.inbox()).toHaveLength(before);
});

test('a call that was taken back before it went out is told to nobody', async () => {
  const customerId = nextCustomer();
  const { move } = await barber.join(customerId);
  await barber.failNextPush(customerId);
  await move('call');
  await barber.untilLastMessage(customerId, { state: 'pending', attempts: 1 });
  await move('recall');
  await barber.untilLastMessage(customerId, { state: 'superseded', reason: 'newer' });
  expect(await barber.received(customerId)).toEqual([]);
});

describe('kill -9', () => {
  const killed = async () => {
    const { notifications } = environment.system.services;
    notifications.kill();
    await notifications.exited;
    return notifications;
  };
  /** A worker that died has what it was at in hand for another minute and a half. */
  const letLeasesLapse = () => barber.rows('update notifications.topic set leased_until = now() where leased_until is not null');
  afterEach(async () => {
    expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
  });

  test('before the event is heard: the message comes, once', async () => {
    const customerId = nextCustomer();
    const { move } = await barber.join(customerId);
    const notifications = await killed();
    await move('call');
    await notifications.restart();
    await barber.untilReceived(customerId, called);
  });

  test('between errand and acknowledgement: the message comes, once', async () => {
    const customerId = nextCustomer();
    const { move } = await barber.join(customerId);
    const { notifications } = environment.system.services;
    await notifications.restart({ env: { CRASH_AT: 'consumer.before-ack' } });
    // Whether or not it is tried before the crash, that try comes to nothing.
    await barber.failNextPush(customerId);
    await move('call');
    expect(await notifications.exited).toMatchObject({ signal: 'SIGKILL' });
    await letLeasesLapse();
    await notifications.restart();
    await barber.untilLastMessage(customerId, { state: 'sent' });
    expect(await barber.titles(customerId)).toEqual([called]);
  });

  test('with an errand pending: the message comes, once', async () => {
    const customerId = nextCustomer();
    const { move } = await barber.join(customerId);
    await barber.failNextPush(customerId);
    await move('call');
    await barber.untilLastMessage(customerId, { state: 'pending', attempts: 1 });
    await (await killed()).restart();
    await barber.untilReceived(customerId, called);
    await barber.untilLastMessage(customerId, { state: 'sent', attempts: 2 });
  });

  test('when it was sent and not yet written down: it comes twice, under one id', async () => {
    const customerId = nextCustomer();
    const { move } = await barber.join(customerId);
    const { notifications } = environment.system.services;
    await notifications.restart({ env: { CRASH_AT: 'errand-sent' } });
    await move('call');
    expect(await notifications.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(await barber.titles(customerId)).toEqual([called]);
    await letLeasesLapse();
    await notifications.restart();
    await barber.untilLastMessage(customerId, { state: 'sent', attempts: 1 });
    const copies = await barber.received(customerId);
    expect(copies).toHaveLength(2);
    expect(new Set(copies.map(({ data, collapseKey }) => `${data.message_id} ${collapseKey}`)).size).toBe(1);
  });

  test.each(['nats', 'postgres'] as const)('of %s with the message on its way: it comes, once', async (server) => {
    const customerId = nextCustomer();
    const { move } = await barber.join(customerId);
    await barber.failNextPush(customerId);
    await move('call');
    await barber.untilLastMessage(customerId, { state: 'pending', attempts: 1 });
    environment.system[server].kill();
    await environment.system[server].exited;
    const missing = server === 'nats' ? move('no-show') : null;
    await environment.system[server].restart();
    await (missing ?? move('no-show'));
    // The call is out of date by the time it could go out, so what comes is the newest.
    await barber.untilLastMessage(customerId, { template: 'queue.no_show', state: 'sent' });
    await barber.untilReceived(customerId, missed);
    expect((await barber.messageRows(customerId)).map(({ state }) => state)).toEqual(['superseded', 'sent']);
  });
});
