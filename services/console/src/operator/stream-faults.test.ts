import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { producers as all } from '@corner/contracts';
import { connectNats } from '@corner/nats';
import { type TcpProxy, tcpProxyTo, testBroker, until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { Browser } from '../testing/browser.ts';
import { startTestConsole, type TestConsole } from '../testing/start-test-console.ts';
import { consumerState, producerState } from './producer-state.ts';
import { relayFault } from './stream-faults.ts';

const gateway = createServer((_, response) => void response.end('{"ready":true,"version":"1.4.2","checks":{}}'));
let nats: Awaited<ReturnType<typeof testBroker>>;
let connection: Awaited<ReturnType<typeof connectNats>>;
let stream: string;
let wayToNats: TcpProxy;
let tested: TestConsole;
let olu: Browser;
let aheadMs = 0;

beforeAll(async () => {
  nats = await testBroker();
  stream = `${nats.namespace.toUpperCase()}DIRECTORY`;
  connection = await connectNats(nats.url, 'test');
  const manager = await jetstreamManager(connection);
  await manager.consumers.delete(stream, 'loyalty');
  wayToNats = await tcpProxyTo(nats.url);
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  const { port } = gateway.address() as AddressInfo;
  tested = await startTestConsole({
    nats: { url: wayToNats.url, namespace: nats.namespace },
    env: { RPC_DEADLINE_FACTOR: '1', CONSOLE_HEALTH: `gateway=http://127.0.0.1:${port}` },
    now: () => new Date(Date.now() + aheadMs),
  });
  olu = tested.open();
});
beforeEach(async () => {
  aheadMs = 0;
  await olu.signIn('olu');
});
afterAll(async () => {
  await tested?.[Symbol.asyncDispose]();
  gateway.close();
  gateway.closeAllConnections();
  await wayToNats?.[Symbol.asyncDispose]();
  await connection?.close();
  await nats[Symbol.asyncDispose]();
});

interface Streams {
  readonly producers: {
    producer: string;
    stream: object | string | null;
    consumers: { service: string; pending: number | null; fault: string | null }[];
  }[];
  readonly unreachable: { service: string; error: string }[];
}
const read = async () => (await (await olu.get('/api/operator/streams')).json()) as Streams;
const directory = async () => (await read()).producers.find(({ producer }) => producer === 'directory');
const consumerOf = async (name: string) => (await directory())?.consumers.find(({ service }) => service === name);
const faultOf = async (name: string) => (await consumerOf(name))?.fault;

async function publish(): Promise<void> {
  await jetstream(connection).publish(`${nats.namespace}directory.store.v1.${randomUUID()}`, '{}');
  await until(async () => (await consumerOf('orders'))?.pending === 1, { describe: 'the event to be counted' });
}
async function acknowledgeOne(): Promise<void> {
  const message = await (await jetstream(connection).consumers.get(stream, 'orders')).next();
  await message?.ackAck();
}

test('a consumer is stuck when the same event is the oldest that waits for a minute, however long nothing happened before', async () => {
  await until(async () => (await faultOf('orders')) === null, { describe: 'the consumer to be read' });
  await publish();
  expect(await faultOf('orders')).toBeNull();
  aheadMs += 61_000;
  expect(await faultOf('orders')).toMatch(/^1 event waits for orders, the oldest for a minute or more: /);
  await acknowledgeOne();
  expect(await faultOf('orders')).toBeNull();
  aheadMs += 600_000;
  await publish();
  expect(await faultOf('orders')).toBeNull();
  await acknowledgeOne();
  await publish();
  expect(await faultOf('orders')).toBeNull();
  aheadMs += 59_000;
  expect(await faultOf('orders')).toBeNull();
  await acknowledgeOne();
});

test('a broker that is away is not taken for one without streams and consumers, and the health says so', async () => {
  const health = async () => ((await (await olu.get('/readyz')).json()) as { checks: { nats: string } }).checks.nats;
  expect(await faultOf('loyalty')).toContain('loyalty has no consumer of this stream');
  wayToNats.cut();
  await until(async () => (await health()) !== 'ok', { describe: 'the connection to be missed' });
  const { producers, unreachable } = await read();
  expect(producers.map(({ producer, stream: seen }) => [producer, seen])).toEqual(all.map((name) => [name, 'unknown']));
  expect(producers.flatMap(({ consumers }) => consumers.map(({ pending, fault }) => pending ?? fault)).filter(Boolean)).toEqual([]);
  expect(unreachable.find(({ service }) => service === 'nats')?.error).toContain('the stream of directory');
  wayToNats.mend();
  await until(async () => (await health()) === 'ok', { describe: 'the connection to be back' });
  expect((await directory())?.stream).not.toBeNull();
});

test('the system says the version of the console, and of a process that says it with its health', async () => {
  const { processes } = (await (await olu.get('/api/operator/system')).json()) as { processes: { name: string; version: string | null }[] };
  const versions = Object.fromEntries(processes.map(({ name, version }) => [name, version]));
  expect(versions).toMatchObject({ orders: null, console: expect.stringMatching(/^\d+\.\d+\.\d+$/), gateway: '1.4.2' });
});

test('a fault of a relay and of a consumer that its service says stays while the broker does not say how the stream is', () => {
  const relay = { unpublished: 3, oldest_unpublished_at: null, fault: 'the user may not publish' };
  const lost = [{ from: 3, to: 5, before: null, noticed_at: '2026-05-01T11:00:00Z' }];
  const counts = { complete_up_to: 9, last: 12, missing: 3, missing_since: '2026-05-01T12:00:00Z', unknown: 0, lost };
  const consumers = [
    consumerState('loyalty', 'unknown', { fault: 'it was deleted', completeness: { producer: 'orders', ...counts } }),
    consumerState('queue', 'unknown', { fault: null, completeness: undefined }),
  ];
  expect(producerState('orders', { relay, info: 'unknown', consumers }, new Date())).toMatchObject({
    stream: 'unknown',
    unpublished: 3,
    fault: 'Nothing is published, and 3 events wait in the outbox: the user may not publish',
    consumers: [
      {
        service: 'loyalty',
        pending: null,
        complete: { up_to: 9, missing: 3, missing_since: '2026-05-01T12:00:00Z', lost: 3 },
        fault: 'loyalty cannot pull events: it was deleted',
      },
      { service: 'queue', pending: null, complete: null, fault: null },
    ],
  });
});

test('an outbox is stuck when its oldest event waits for a minute, or its relay says why', () => {
  const now = new Date('2026-05-01T12:00:00Z');
  const relay = { unpublished: 1, oldest_unpublished_at: '2026-05-01T11:59:01Z', fault: null };
  expect(relayFault(relay, now)).toBeNull();
  expect(relayFault({ ...relay, oldest_unpublished_at: '2026-05-01T11:57:00Z' }, now)).toMatch(
    /^1 event waits in the outbox, the oldest for 3 minutes/,
  );
  expect(relayFault({ unpublished: null, oldest_unpublished_at: null, fault: 'no' }, now)).toContain(
    'an unknown number of events wait in the outbox: no',
  );
});
