import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Envelope } from '@corner/contracts';
import { builtProgram, until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Delivery } from '../adapters/channel.ts';
import type { DeliveryOutcome } from '../rules/delivery.ts';
import { orderEvents } from '../testing/events.ts';
import { type Guest, type Messaging, type Reachable, startMessaging } from '../testing/messaging.ts';
import { deliverDueMessages } from './deliver-due-messages.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

test('eight concurrent deliveries send each message once', async () => {
  const guests = await Promise.all(Array.from({ length: 24 }, () => messaging.guest()));
  const events = guests.map((guest) => orderEvents(guest).moved('ready'));
  messaging.sandbox.controls.fail({ at: 'fcm', how: 'unavailable', times: events.length });
  await messaging.publish(...events);
  await Promise.all(events.map((event) => messaging.messagesOf(event, ({ attempts }) => attempts === 1)));
  messaging.clock.advance({ seconds: 10 });
  const { context } = messaging.running.service;
  await Promise.all(Array.from({ length: 8 }, () => deliverDueMessages(context)));
  await Promise.all(events.map((event) => messaging.messagesOf(event)));
  expect(guests.map((guest) => messaging.received(guest).length)).toEqual(guests.map(() => 1));
});

test('a message is sent again under the same id when a replica dies before it has recorded the delivery', async () => {
  const guest = await messaging.guest({ devices: [] });
  messaging.sandbox.controls.fail({ at: 'smtp', how: 'unavailable' });
  const ready = orderEvents(guest).moved('ready');
  await messaging.publish(ready);
  await messaging.messagesOf(ready, ({ attempts }) => attempts === 1);
  // The clock of this process is months behind the other one's, so the message is due there and not here.
  const main = await builtProgram('services/notifications/src/main.ts');
  const env = { ...messaging.running.environment, PATH: process.env.PATH ?? '', CRASH_AT: 'notifications.delivery.after-send' };
  const [, signal] = await once(spawn(process.execPath, [main], { env, stdio: 'ignore' }), 'exit');
  expect(signal).toBe('SIGKILL');
  expect(messaging.received(guest)).toHaveLength(1);

  const leaseExpiresAt = await messaging.running.service.database.oneFirst(sql.type(z.object({ until: z.string() }))`
    select to_char(max(lease_expires_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as until from topic`);
  messaging.clock.set(leaseExpiresAt);
  messaging.advance({ seconds: -86 });
  await deliverDueMessages(messaging.running.service.context);
  expect(messaging.received(guest)).toHaveLength(1);
  messaging.advance({ seconds: 2 });
  expect(await messaging.messagesOf(ready)).toEqual([expect.objectContaining({ state: 'sent' })]);
  const ids = messaging.received(guest).map(({ headers }) => headers['message-id']);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

interface Due {
  readonly guest: Guest;
  readonly event: Envelope;
}
const two = async () => (await dueTogether(2)) as readonly [Due, Due];

async function dueTogether(count: number, reachable: Reachable = {}): Promise<readonly Due[]> {
  const guests = await Promise.all(Array.from({ length: count }, () => messaging.guest(reachable)));
  const created = guests.map((guest) => ({ guest, event: orderEvents(guest).moved('ready') }));
  messaging.sandbox.controls.fail({ at: 'fcm', how: 'unavailable', times: count });
  await messaging.publish(...created.map(({ event }) => event));
  await Promise.all(created.map(({ event }) => messaging.messagesOf(event, ({ attempts }) => attempts === 1)));
  messaging.sandbox.controls.clearFaults();
  return created;
}

/** A replica whose clock is a minute ahead, so that it alone finds the messages due. */
const replica = (deliver: (delivery: Delivery) => Promise<DeliveryOutcome>): Context => {
  const { context } = messaging.running.service;
  const now = () => new Date(messaging.clock.now().getTime() + 60_000);
  return {
    ...context,
    now,
    channels: { ...context.channels, android: { server: 'https://push.example', deliver, close: async () => {} } },
  };
};
const sent: DeliveryOutcome = { status: 'delivered' };
const stateOf = async (event: Envelope) => (await messaging.messagesOf(event, () => true))[0]?.state;

test('a lease of ten messages takes two statements, and no transaction of its own', async () => {
  const created = await dueTogether(10);
  const context = replica(async () => sent);
  messaging.running.statements.length = 0;
  await deliverDueMessages(context);
  expect(messaging.running.statements.map((text) => /update (topic|message)/.exec(text)?.[0])).toEqual(['update topic', 'update topic']);
  for (const { event } of created) expect(await stateOf(event)).toBe('sent');
});

test('the results of messages are written while another one of their lease is still being sent', async () => {
  const [slow, other] = await two();
  const { promise, resolve } = Promise.withResolvers<DeliveryOutcome>();
  const delivering = deliverDueMessages(replica(({ to }) => (to === slow.guest.phone ? promise : Promise.resolve(sent))));
  expect(await messaging.messagesOf(other.event, ({ state }) => state === 'sent')).toHaveLength(1);
  expect(await stateOf(slow.event)).toBe('pending');
  resolve(sent);
  await delivering;
  expect(await stateOf(slow.event)).toBe('sent');
});

async function whenSettling(then: () => void, deliver: () => Promise<void>): Promise<void> {
  const { statements } = messaging.running;
  const { push } = statements;
  statements.push = (text) => {
    if (text.includes('update message')) then();
    return push.call(statements, text);
  };
  try {
    await deliver();
  } finally {
    statements.push = push;
  }
}

test('a delivery that ends while others of its lease are being written is finished too', async () => {
  const [slow, other] = await two();
  const { promise, resolve } = Promise.withResolvers<DeliveryOutcome>();
  const context = replica(({ to }) => (to === slow.guest.phone ? promise : Promise.resolve(sent)));
  await whenSettling(
    () => resolve(sent),
    () => deliverDueMessages(context),
  );
  expect([await stateOf(slow.event), await stateOf(other.event)]).toEqual(['sent', 'sent']);
});

test('a message that comes to a topic while an older one of it is being sent is sent after it', async () => {
  const guest = await messaging.guest();
  const order = orderEvents(guest);
  const [accepted, ready] = [order.moved('accepted', 2), order.moved('ready', 3)];
  messaging.sandbox.controls.fail({ at: 'fcm', how: 'unavailable' });
  await messaging.publish(accepted);
  await messaging.messagesOf(accepted, ({ attempts }) => attempts === 1);
  const publishReady = Promise.withResolvers<void>();
  const delivering = deliverDueMessages(
    replica(async ({ title }) => {
      if (title === 'Order S1-1001 is accepted') await messaging.publish(ready).then(publishReady.resolve);
      return sent;
    }),
  );
  await publishReady.promise;
  await delivering;
  expect(await messaging.messagesOf(accepted)).toEqual([expect.objectContaining({ state: 'sent' })]);
  expect(await messaging.messagesOf(ready)).toEqual([expect.objectContaining({ state: 'sent' })]);
});

test('a replica whose lease has passed to another one writes nothing of its messages, and finishes the others with which they ended', async () => {
  const [first, mine, taken] = (await dueTogether(3, { email: null })) as readonly [Due, Due, Due];
  const [passed, settling] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const context = replica(async ({ to }) => {
    if (to === first.guest.phone) return passed.promise.then(() => sent);
    if (to === mine.guest.phone) return settling.promise.then(() => sent);
    await messaging.running.service.database.query(sql.type(z.object({}))`
      update topic set lease_token = ${randomUUID()} where key = (select topic from message where event_id = ${taken.event.id})`);
    passed.resolve();
    return settling.promise.then(() => ({ status: 'rejected', reason: 'too late' }) as const);
  });
  await whenSettling(settling.resolve, () => deliverDueMessages(context));
  expect([await stateOf(first.event), await stateOf(mine.event), await stateOf(taken.event)]).toEqual(['sent', 'sent', 'pending']);
  const letters = await messaging.running.service.database.any(sql.type(z.object({}))`
    select from dead_letter d join message m on m.id = d.event_id where m.event_id = ${taken.event.id}`);
  expect(letters).toEqual([]);
});

test('a delivery that throws affects no other of its lease, and is made again when the lease has expired', async () => {
  const [broken, fine] = await two();
  const context = replica(async ({ to }) => {
    if (to === broken.guest.phone) throw new TypeError('a fault of ours');
    return sent;
  });
  await expect(deliverDueMessages(context)).rejects.toThrow('sent again');
  expect([await stateOf(broken.event), await stateOf(fine.event)]).toEqual(['pending', 'sent']);
  messaging.advance({ seconds: 151 });
  expect(await messaging.messagesOf(broken.event)).toEqual([expect.objectContaining({ state: 'sent' })]);
});

test('a process that lives and is slow keeps its lease, and one that is dead has lost it after five seconds', async () => {
  const [slow] = await dueTogether(1);
  const { promise, resolve } = Promise.withResolvers<DeliveryOutcome>();
  const begun = Promise.withResolvers<void>();
  const first = replica(() => {
    begun.resolve();
    return promise;
  });
  const delivering = deliverDueMessages(first);
  await begun.promise;
  let sends = 0;
  const another = replica(async () => {
    sends += 1;
    return sent;
  });
  const later = (seconds: number): Context => ({ ...another, now: () => new Date(first.now().getTime() + seconds * 1000) });
  await deliverDueMessages(later(89));
  expect(sends).toBe(0);
  await messaging.running.service.database.query(sql.type(z.object({}))`
    update topic set lease_holder = 1 where key = (select topic from message where event_id = ${slow?.event.id ?? ''})`);
  await deliverDueMessages(later(4));
  expect(sends).toBe(0);
  await deliverDueMessages(later(6));
  expect([sends, slow && (await stateOf(slow.event))]).toEqual([1, 'sent']);
  resolve({ status: 'rejected', reason: 'too late' });
  await delivering;
  expect(slow && (await stateOf(slow.event))).toBe('sent');
});

test('what was leased by a statement whose response was lost is sent by the next lease', async () => {
  const [due] = await dueTogether(1);
  const context = replica(async () => sent);
  const { database } = context;
  const losing: Context = {
    ...context,
    database: {
      ...database,
      async any(statement) {
        await database.any(statement);
        throw Object.assign(new Error('the connection ended'), { code: 'ECONNRESET' });
      },
    },
  };
  await expect(deliverDueMessages(losing)).rejects.toThrow('the connection ended');
  expect(due && (await stateOf(due.event))).toBe('pending');
  await deliverDueMessages(context);
  expect(due && (await stateOf(due.event))).toBe('sent');
});

test('a message that was sent is not sent again when writing its result met a lost connection', async () => {
  const [due] = await dueTogether(1);
  const { database } = messaging.running.service;
  const lost = Promise.withResolvers<void>();
  let sends = 0;
  let locking: Promise<unknown> = Promise.resolve();
  const context = replica(async () => {
    sends += 1;
    const locked = Promise.withResolvers<void>();
    locking = database.transaction(async (tx) => {
      await tx.query(
        sql.type(
          z.object({}),
        )`select from topic where key = (select topic from message where event_id = ${due?.event.id ?? ''}) for update`,
      );
      locked.resolve();
      await lost.promise;
    });
    await locked.promise;
    return sent;
  });
  const delivering = deliverDueMessages(context);
  const terminated = () =>
    database.any(sql.type(z.object({ ended: z.boolean() }))`
    select pg_terminate_backend(pid) as ended from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%update message m%'`);
  await until(async () => (await terminated()).length === 1, { describe: 'the statement to wait for the lock' });
  lost.resolve();
  await Promise.all([locking, delivering]);
  expect([sends, due && (await stateOf(due.event))]).toEqual([1, 'sent']);
});
