import { randomUUID } from 'node:crypto';
import {
  beginReplay,
  countReplay,
  listDeadLetters,
  replayPage,
  requiredServices,
  reserveVoucher,
  retryDeadLetter,
} from '@corner/contracts';
import { connectNats } from '@corner/nats';
import { callService } from '@corner/operator';
import { until } from '@corner/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { checkAtRest } from '../testing/checker.ts';
import { newShopper, runOrderScenario } from '../testing/order-scenario.ts';
import { operatorOfNats, sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
const startedAt = new Date();
beforeAll(async () => {
  environment = await sharedEnvironment();
});

async function as(user: string) {
  const { nats, natsAccess } = environment.system;
  const connection = await connectNats(nats.url, 'test', natsAccess?.loginOf(user));
  return { connection, namespace: '', [Symbol.asyncDispose]: () => connection.close() };
}

const refused = /permissions violation/i;

test('an order goes from the basket to the refund, and no service is refused anything', async () => {
  await runOrderScenario(environment, await newShopper(environment.system));
  expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
  // An event in transit counts as missing for a moment.
  for (const service of requiredServices) await until(() => isWell(service), { describe: `${service} to be well` });
});

async function isWell(service: (typeof requiredServices)[number]): Promise<boolean> {
  const { checks } = (await (await fetch(`${environment.system.services[service].url}/readyz`)).json()) as {
    checks: Record<string, string>;
  };
  return ['nats', 'relay', 'consumers'].every((check) => checks[check] === 'ok');
}

describe('a service’s user may not', () => {
  test.each([
    ['orders', 'publish an event of loyalty', 'loyalty.stamp.awarded.v1.all'],
    ['orders', 'publish the directory', 'directory.store.v1.all'],
    ['orders', 'call an RPC that it has no use for', 'rpc.queue.guest'],
    ['orders', 'act as an operator', `operator.${operatorOfNats}.loyalty.dead-letters.retry`],
    ['orders', 'delete its own stream', '$JS.API.STREAM.DELETE.ORDERS'],
    ['queue', 'read the events of orders', '$JS.API.CONSUMER.DURABLE.CREATE.ORDERS.queue'],
    ['loyalty', 'take the events of notifications', '$JS.API.CONSUMER.MSG.NEXT.ORDERS.notifications'],
    ['loyalty', 'acknowledge for notifications', '$JS.ACK.ORDERS.notifications.1.1.1.1.0'],
    ['notifications', 'delete the consumer of loyalty', '$JS.API.CONSUMER.DELETE.ORDERS.loyalty'],
  ])('%s: %s', async (user, _what, subject) => {
    await using caller = await as(user);
    await expect(caller.connection.request(subject, '{}', { timeout: 60_000 })).rejects.toThrow(refused);
  });

  test('be the one that another service’s replies go to', async () => {
    await using caller = await as('queue');
    const subscription = caller.connection.subscribe('_INBOX.orders.>');
    await expect(
      (async () => {
        for await (const _ of subscription);
      })(),
    ).rejects.toThrow(refused);
  });
});

test('a service reads its own events as they are published, for a live stream', async () => {
  await using orders = await as('orders');
  const seen: string[] = [];
  orders.connection.subscribe('orders.>', { callback: (_error, { subject }) => void seen.push(subject) });
  await orders.connection.flush();
  await runOrderScenario(environment, await newShopper(environment.system));
  await until(() => seen.some((subject) => subject.startsWith('orders.order.paid')), { describe: 'the event' });
});

describe('an operator', () => {
  test('calls the RPCs for operators, under no other name than that of the user', async () => {
    await using ada = await as(operatorOfNats);
    await callService({ ...ada, operator: operatorOfNats }, listDeadLetters('loyalty'), {});
    const step = { event_id: randomUUID(), by: operatorOfNats };
    expect(await callService({ ...ada, operator: operatorOfNats }, retryDeadLetter('loyalty'), step)).toMatchObject({
      outcome: 'not open',
    });
    await expect(callService({ ...ada, operator: 'bob' }, retryDeadLetter('loyalty'), { ...step, by: 'bob' })).rejects.toThrow(refused);
  });

  test('replays events, which the service reads by a consumer of its own', async () => {
    await using ada = await as(operatorOfNats);
    const range = { since: startedAt.toISOString(), until: new Date().toISOString(), type: 'order.paid' };
    const { counts } = await callService({ ...ada, operator: operatorOfNats }, countReplay('loyalty'), range);
    const replay = { replay_id: randomUUID(), by: operatorOfNats, counted: counts[0]?.count ?? 0 };
    await callService({ ...ada, operator: operatorOfNats }, beginReplay('loyalty'), { ...range, ...replay });
    const page = { replay_id: replay.replay_id, from: { producer: 0, sequence: 0 } };
    const { processed } = await callService({ ...ada, operator: operatorOfNats }, replayPage('loyalty'), page);
    expect([replay.counted > 0, processed]).toEqual([true, replay.counted]);
  });

  test('may not call what is between services, nor publish', async () => {
    await using ada = await as(operatorOfNats);
    for (const subject of [`rpc.${reserveVoucher.name}`, 'orders.order.paid.v1.all', '$JS.API.INFO'])
      await expect(ada.connection.request(subject, '{}', { timeout: 60_000 })).rejects.toThrow(refused);
  });
});

test('the directory’s user publishes the directory and nothing else, and reads what it handles alone', async () => {
  await using directory = await as('directory');
  const js = jetstream(directory.connection);
  await expect(js.publish('orders.order.paid.v1.all', '{}')).rejects.toThrow(refused);
  const jsm = await jetstreamManager(directory.connection, { checkAPI: false });
  await expect(jsm.streams.info('CONSOLE')).rejects.toThrow(refused);
  for (const name of ['DIRECTORY', 'ORDERS', 'LOYALTY', 'QUEUE', 'NOTIFICATIONS'])
    await expect(jsm.streams.purge(name)).rejects.toThrow(refused);
});
