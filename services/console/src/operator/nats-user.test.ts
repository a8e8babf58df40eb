import { directoryStore } from '@corner/contracts';
import { connectNats } from '@corner/nats';
import { stores } from '@corner/sandbox/demo';
import { findNatsServer, natsAccess, type RunningNats, startNats } from '@corner/sandbox/servers';
import { envelopeOf, openEventStream, type TestFolder, testFolder } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { startTestConsole } from '../testing/start-test-console.ts';

const access = natsAccess(['ada']);
let folder: TestFolder;
let nats: RunningNats;

beforeAll(async () => {
  folder = await testFolder();
  const { configuration, administrator: login } = access;
  nats = await startNats({ server: await findNatsServer(), storeFolder: folder.path, configuration, login });
  const connection = await connectNats(nats.url, 'test', login);
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: 'DIRECTORY', subjects: ['directory.>'] });
  await manager.streams.add({ name: 'ORDERS', subjects: ['orders.>'] });
  await manager.consumers.add('ORDERS', { durable_name: 'loyalty', ack_policy: AckPolicy.Explicit });
  await connection.close();
});
afterAll(async () => {
  await nats?.stop();
  await folder[Symbol.asyncDispose]();
});

test('the user of the console may read streams and their state: changes arrive, and the page of streams is whole', async () => {
  const { NATS_USER = '', NATS_PASSWORD = '' } = access.loginOf('console');
  await using tested = await startTestConsole({
    nats: { url: nats.url, namespace: '' },
    env: { NATS_USER, NATS_PASSWORD, RPC_DEADLINE_FACTOR: '1' },
  });
  const pia = tested.open();
  await pia.signIn('pia');
  const stream = await openEventStream(await pia.get('/api/live'));
  const connection = await connectNats(nats.url, 'test', access.loginOf('directory'));
  const store = { version: 1, id: stores.coffee.id, code: 'S1', name: 'Corner Coffee' };
  const envelope = envelopeOf(directoryStore, store, { aggregateId: store.id, storeId: store.id });
  await jetstream(connection).publish(`directory.store.v1.${store.id}`, JSON.stringify(envelope));
  await connection.close();
  // A browser that connects before the streams have been read first receives a reset.
  let { data } = await stream.next();
  if (data === '{}') ({ data } = await stream.next());
  expect(data).toContain(envelope.id);
  await stream.close();
  const { producers } = (await (await pia.get('/api/operator/streams')).json()) as {
    producers: { producer: string; stream: object | null; consumers: { service: string; fault: string | null }[] }[];
  };
  const orders = producers.find(({ producer }) => producer === 'orders');
  expect(orders?.stream).toMatchObject({ messages: 0 });
  expect(orders?.consumers.find(({ service }) => service === 'loyalty')?.fault).toBeNull();
});

test.each([
  ['console', 'publish an event', 'orders.order.paid.v1.all'],
  ['console', 'make a consumer of its own, which could send what it reads anywhere', '$JS.API.CONSUMER.CREATE.ORDERS'],
  ['console', 'take an event of a service', '$JS.API.CONSUMER.MSG.NEXT.ORDERS.loyalty'],
  ['console', 'make a service’s consumer anew', '$JS.API.CONSUMER.CREATE.ORDERS.loyalty'],
  ['console', 'delete a service’s consumer', '$JS.API.CONSUMER.DELETE.ORDERS.loyalty'],
  ['console', 'delete a stream', '$JS.API.STREAM.DELETE.ORDERS'],
  ['console', 'act as another operator', 'operator.ada.orders.dead-letters.retry'],
  ['console', 'publish a person, whose changes it listens for', 'directory.staff.v1.0190a000-0000-7000-8000-000000000001'],
  ['orders', 'end a session of the console', 'console.session.ended.0'],
  ['ada', 'end a session of the console', 'console.session.ended.0'],
  ['console', 'call an RPC of a service', 'rpc.queue.guest'],
  ['ada', 'act as the console, which names persons', 'operator.console.orders.dead-letters.retry'],
  ['orders', 'act as the console', 'operator.console.orders.dead-letters.retry'],
])('%s may not %s', async (user, _what, subject) => {
  const connection = await connectNats(nats.url, 'test', access.loginOf(user));
  await expect(connection.request(subject, '{}', { timeout: 60_000 })).rejects.toThrow(/permissions violation/i);
  await connection.close();
});
