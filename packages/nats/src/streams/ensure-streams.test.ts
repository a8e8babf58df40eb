import { type TestBroker, testBroker } from '@corner/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  AckPolicy,
  type ConsumerConfig,
  type ConsumerInfo,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node';
import { ensureStreams } from './ensure-streams.ts';
import { wantedStreams } from './wanted.ts';

const day = nanos(86_400_000);
const hour = day / 24;

let broker: TestBroker;
let connection: NatsConnection;
let jsm: JetStreamManager;
let namespace: string;
let orders: string;
let directory: string;
beforeEach(async () => {
  broker = await testBroker({ streams: false });
  namespace = broker.namespace;
  connection = await connect({ servers: broker.url });
  jsm = await jetstreamManager(connection);
  [orders, directory] = ['ORDERS', 'DIRECTORY'].map((name) => `${namespace.toUpperCase()}${name}`) as [string, string];
});
afterEach(async () => {
  await connection.close();
  await broker[Symbol.asyncDispose]();
});

const ensure = () => ensureStreams(jsm, { namespace });
const publish = (subject: string) => jetstream(connection).publish(`${namespace}${subject}`, '{}');
const configOf = async (stream: string) => (await jsm.streams.info(stream)).config;

const operatorCreates = (config: Partial<StreamConfig>) =>
  jsm.streams.add({
    name: orders,
    subjects: [`${namespace}orders.>`],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_age: 7 * day,
    duplicate_window: hour,
    ...config,
  });

describe('on a broker without streams', () => {
  test('every stream and the consumer of each service are made, and a second time does nothing', async () => {
    const { done, faults } = await ensure();
    expect([done.length, faults]).toEqual([wantedStreams().length + wantedStreams().flatMap(({ consumers }) => consumers).length, []]);
    expect(await configOf(orders)).toMatchObject({ max_age: 7 * day, discard: 'new', duplicate_window: hour, max_msgs_per_subject: -1 });
    expect((await jsm.consumers.info(orders, 'loyalty')).config).toMatchObject({
      ack_policy: 'explicit',
      deliver_policy: 'all',
      ack_wait: nanos(4_000),
      max_deliver: -1,
      max_ack_pending: 1_000,
    });
    expect(await ensure()).toEqual({ done: [], faults: [] });
  });

  test('two processes that make everything at once both succeed', async () => {
    const both = await Promise.all([ensure(), ensure()]);
    expect(both.flatMap(({ faults }) => faults)).toEqual([]);
    expect(await ensure()).toEqual({ done: [], faults: [] });
  });

  test('the directory keeps the newest event of each object for ever', async () => {
    await ensure();
    for (const object of ['a', 'b', 'a']) await publish(`directory.customer.v1.${object}`);
    expect((await jsm.streams.info(directory)).state.messages).toBe(2);
    expect(await configOf(directory)).toMatchObject({ max_age: 0, max_msgs_per_subject: 1, discard: 'new' });
  });
});

describe('a stream that an operator has made', () => {
  test('keeps a description, a longer retention and limits of the operator', async () => {
    const own = { description: 'kept by operations', max_age: 30 * day, max_bytes: 1_000_000_000, max_msg_size: 100_000 };
    await operatorCreates(own);
    expect((await ensure()).faults).toEqual([]);
    expect(await configOf(orders)).toMatchObject(own);
  });

  test('gets the subject and the window of message ids that it lacks', async () => {
    await operatorCreates({ subjects: [`${namespace}old.>`, `${namespace}orders.order.>`], duplicate_window: hour / 2 });
    expect((await ensure()).done).toContain(`changed the stream ${orders}: subjects, duplicate_window`);
    expect(await configOf(orders)).toMatchObject({ subjects: [`${namespace}old.>`, `${namespace}orders.>`], duplicate_window: hour });
  });

  test('of the directory that dropped old events, or kept many of an object, does so no longer', async () => {
    await jsm.streams.add({ name: directory, subjects: [`${namespace}directory.>`], max_age: 7 * day, discard: DiscardPolicy.Old });
    expect((await ensure()).faults).toEqual([]);
    for (const object of ['a', 'b', 'a']) await publish(`directory.customer.v1.${object}`);
    expect((await jsm.streams.info(directory)).state.messages).toBe(2);
    expect(await configOf(directory)).toMatchObject({ max_age: 0, max_msgs_per_subject: 1 });
  });

  test('is named in words when another stream has its subjects, and the other streams are made all the same', async () => {
    await jsm.streams.add({ name: `${orders}_OLD`, subjects: [`${namespace}orders.>`] });
    const { done, faults } = await ensure();
    expect(faults).toEqual([expect.stringMatching(/ORDERS cannot be made.*another stream takes subjects of this one.*nats stream find/)]);
    expect(done).toContain(`made the stream ${directory}`);
  });

  test.each<[string, Partial<StreamConfig>, RegExp]>([
    ['a retention of a day', { max_age: day }, /keeps events for less than 7 days.*--max-age=7d/],
    ['discarding of old events', { discard: DiscardPolicy.Old }, /drops its oldest events.*--discard=new/],
    ['a limit of events of a subject', { max_msgs_per_subject: 5 }, /only some events of each subject.*--max-msgs-per-subject=-1/],
    ['storage in memory', { storage: StorageType.Memory }, /kept in memory.*Delete the stream/],
    ['retention by interest', { retention: RetentionPolicy.Interest }, /has the retention "interest".*Delete the stream/],
    ['no acknowledgements', { no_ack: true }, /acknowledges nothing.*--ack/],
    ['publishers that may delete', { allow_rollup_hdrs: true }, /lets a publisher delete the events before its own/],
  ])('is named, and not changed, with %s', async (_what, config, message) => {
    await operatorCreates(config);
    expect((await ensure()).faults).toEqual([expect.stringMatching(message)]);
    expect(await configOf(orders)).toMatchObject(config);
  });

  test.each<[string, () => Partial<StreamConfig>, RegExp]>([
    ['requests', () => ({ subjects: [`${namespace}orders.>`, `${namespace}rpc.>`] }), /stores what is sent to \w+rpc\.>.*--subjects/],
    ['replies', () => ({ subjects: [`${namespace}orders.>`, `_INBOX.${namespace}.>`] }), /stores what is sent to _INBOX/],
    ['events of another stream', () => ({ sources: [{ name: directory }] }), /copies \w+DIRECTORY into itself.*Delete the stream/],
    ['events that it sends on', () => ({ republish: { src: '>', dest: `${namespace}copy.>` } }), /sends its events on to \w+copy\.>/],
  ])('is named when it holds %s', async (_what, config, message) => {
    await operatorCreates(config());
    expect((await ensure()).faults).toEqual([expect.stringMatching(message)]);
  });
});

describe('a service’s consumer', () => {
  const loyalty = () => jsm.consumers.info(orders, 'loyalty');

  test('is made for each of several parts, and those of further parts end where nothing reads them', async () => {
    const parts = { loyalty: 3 };
    expect((await ensureStreams(jsm, { namespace, parts })).faults).toEqual([]);
    const made = await Promise.all(['loyalty', 'loyalty_2', 'loyalty_3'].map((name) => jsm.consumers.info(orders, name)));
    expect(made.map(({ config }) => config.inactive_threshold ?? 0)).toEqual([0, hour, hour]);
    await expect(jsm.consumers.info(orders, 'notifications_2')).rejects.toThrow('consumer not found');
    expect(await ensureStreams(jsm, { namespace, parts })).toEqual({ done: [], faults: [] });
  });

  test('that is missing on a stream with events is made from ten minutes ago', async () => {
    await ensure();
    await publish('orders.order.paid.v1.all');
    await jsm.consumers.delete(orders, 'loyalty');
    expect(await ensure()).toEqual({ done: [`made the consumer loyalty of ${orders}`], faults: [] });
    const { config, num_pending } = await loyalty();
    expect([config.deliver_policy, num_pending]).toEqual(['by_start_time', 1]);
    const ago = Date.now() - Date.parse(config.opt_start_time ?? '');
    expect(ago).toBeGreaterThanOrEqual(600_000);
    expect(ago).toBeLessThan(700_000);
  });

  test('that works keeps its place', async () => {
    await ensure();
    await publish('orders.order.paid.v1.all');
    const consumer = await jetstream(connection).consumers.get(orders, 'loyalty');
    (await consumer.next())?.ack();
    const before = await loyalty();
    expect(await ensure()).toEqual({ done: [], faults: [] });
    expect((await loyalty()).created).toBe(before.created);
  });

  test.each<[string, () => Partial<ConsumerConfig>, RegExp]>([
    ['sends events to a subject', () => ({ deliver_subject: 'elsewhere' }), /sends events to elsewhere/],
    ['passes over some subjects', () => ({ filter_subject: `${namespace}orders.order.>` }), /passes over some subjects/],
    ['gives events up', () => ({ max_deliver: 3 }), /gives an event up after 3 deliveries/],
  ])('that %s is made again', async (_what, config, why) => {
    await ensure();
    await jsm.consumers.delete(orders, 'loyalty');
    await jsm.consumers.add(orders, { durable_name: 'loyalty', ack_policy: AckPolicy.Explicit, ...config() });
    expect((await ensure()).done).toEqual([expect.stringMatching(why)]);
    expect((await loyalty()).config).toMatchObject({ max_deliver: -1, deliver_policy: DeliverPolicy.StartTime });
  });

  test('that stands behind the end of its stream is made again, and then delivers what comes', async () => {
    await ensure();
    await publish('orders.order.paid.v1.all');
    const lost = seeingLoyalty((info) => ({ ...info, delivered: { ...info.delivered, stream_seq: 9 } }));
    const { done } = await ensureStreams(lost, { namespace });
    expect(done).toEqual([`made the consumer loyalty of ${orders} again: it stood at 9, behind the end of the stream`]);
    expect((await loyalty()).num_pending).toBe(1);
  });

  test('that does not answer is made again after a while, and not at once', async () => {
    await ensure();
    const silent = seeingLoyalty(() => {
      throw new Error('timeout');
    });
    const memory = { watches: new Map(), stuckMs: 50 };
    const first = await ensureStreams(silent, { namespace }, memory);
    expect(first).toEqual({ done: [], faults: [`The consumer loyalty of ${orders} cannot be made or looked at: timeout`] });
    await new Promise((resolve) => setTimeout(resolve, 60));
    const { done, faults } = await ensureStreams(silent, { namespace }, memory);
    expect([done, faults]).toEqual([[`made the consumer loyalty of ${orders} again: it did not answer`], []]);
  });

  test('that delivers nothing of what waits while it is asked is made again after a while', async () => {
    await ensure();
    const stuck = seeingLoyalty((info) => ({ ...info, num_pending: 5, num_waiting: 1 }));
    const memory = { watches: new Map(), stuckMs: 50 };
    expect(await ensureStreams(stuck, { namespace }, memory)).toEqual({ done: [], faults: [] });
    await new Promise((resolve) => setTimeout(resolve, 60));
    const { done } = await ensureStreams(stuck, { namespace }, memory);
    expect(done).toEqual([`made the consumer loyalty of ${orders} again: events waited and it delivered none of them`]);
  });

  test('whose file a power cut has damaged, so that the server makes none of its name, is kept in memory', async () => {
    await ensure();
    await jsm.consumers.delete(orders, 'loyalty');
    const refusal = { code: 500, err_code: 10_104, description: 'error creating store for consumer: corrupt state file' };
    const damaged = withConsumers({
      add: async (stream: string, config: Partial<ConsumerConfig>) => {
        if (stream === orders && config.durable_name === 'loyalty' && !config.mem_storage) throw new JetStreamApiError(refusal);
        return await jsm.consumers.add(stream, config);
      },
    });
    expect(await ensureStreams(damaged, { namespace })).toEqual({ done: [`made the consumer loyalty of ${orders}`], faults: [] });
    expect((await loyalty()).config).toMatchObject({ durable_name: 'loyalty', mem_storage: true });
    expect(await ensure()).toEqual({ done: [], faults: [] });
  });

  function seeingLoyalty(change: (info: ConsumerInfo) => ConsumerInfo): JetStreamManager {
    const info = async (stream: string, name: string) => {
      const seen = await jsm.consumers.info(stream, name);
      return stream === orders && name === 'loyalty' ? change(seen) : seen;
    };
    return withConsumers({ info });
  }

  function withConsumers(methods: Partial<Record<keyof JetStreamManager['consumers'], unknown>>): JetStreamManager {
    const consumers = new Proxy(jsm.consumers, {
      get: (target, method) => Reflect.get(methods, method) ?? Reflect.get(target, method).bind(target),
    });
    return new Proxy(jsm, { get: (target, part) => (part === 'consumers' ? consumers : Reflect.get(target, part)) });
  }
});
