import { until } from '@corner/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  DiscardPolicy,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamUpdateConfig,
} from '@nats-io/jetstream';
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node';
import type { Database } from '../database/database.ts';
import type { RunningService } from '../service.ts';
import { effectsOf, newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { changeAndPublish, consumer, type ProducerContext, producer } from '../testing/services.ts';
import { describeBrokerFault } from './limits.ts';
import { claimStream, findOrCreateStream } from './streams.ts';

const day = nanos(86_400_000);
const hour = day / 24;

let platform: Platform;
let connection: NatsConnection;
let jsm: JetStreamManager;
let name: string;
let subject: string;
beforeEach(async () => {
  platform = await preparePlatform();
  connection = await connect({ servers: platform.broker.url });
  jsm = await jetstreamManager(connection);
  name = `${platform.broker.namespace.toUpperCase()}ORDERS`;
  subject = `${platform.broker.namespace}orders.>`;
});
afterEach(async () => {
  await connection.close();
  await platform[Symbol.asyncDispose]();
});

/** Creates the stream of orders as an operator might, before any service starts. */
const operatorCreates = (config: Partial<StreamConfig>) =>
  jsm.streams.add({
    name,
    subjects: [subject],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_age: 7 * day,
    duplicate_window: hour,
    ...config,
  });

describe('a producer starts on a stream that an operator has made', () => {
  test('and keeps a description, a longer retention and limits of the operator', async () => {
    await operatorCreates({ description: 'kept by operations', max_age: 30 * day, max_bytes: 1_000_000_000, max_msg_size: 100_000 });
    const { info } = await claimStream(jsm, { name, subject });
    expect(info.config).toMatchObject({
      description: 'kept by operations',
      max_age: 30 * day,
      max_bytes: 1_000_000_000,
      max_msg_size: 100_000,
    });
  });

  test('and adds its subject and its window of message ids', async () => {
    await operatorCreates({ subjects: [`${subject.slice(0, -1)}other`], duplicate_window: hour / 2 });
    const { info } = await claimStream(jsm, { name, subject: `${subject.slice(0, -1)}mine.>` });
    expect(info.config).toMatchObject({
      subjects: [`${subject.slice(0, -1)}other`, `${subject.slice(0, -1)}mine.>`],
      duplicate_window: hour,
    });
  });

  test('and leaves subjects that include its own', async () => {
    await operatorCreates({});
    const { info } = await claimStream(jsm, { name, subject: `${subject.slice(0, -1)}*.mine.>` });
    expect(info.config.subjects).toEqual([subject]);
  });

  test('and says in words that another stream has its subjects', async () => {
    await jsm.streams.add({ name: `${name}_OLD`, subjects: [subject] });
    const refused = await claimStream(jsm, { name, subject }).catch(describeBrokerFault);
    expect(refused).toMatch(/another stream takes subjects of this one.*nats stream find/);
  });

  test.each([
    ['a retention of a day', { max_age: day }, /keeps events for less than 7 days.*--max-age=7d/],
    ['discarding of old events', { discard: DiscardPolicy.Old }, /drops its oldest events.*--discard=new/],
    ['a limit of events of a subject', { max_msgs_per_subject: 5 }, /only some events of each subject.*--max-msgs-per-subject=-1/],
    ['storage in memory', { storage: StorageType.Memory }, /kept in memory.*delete the stream/],
    ['retention by interest', { retention: RetentionPolicy.Interest }, /has the retention "interest".*delete the stream/],
    ['no acknowledgements', { no_ack: true }, /acknowledges nothing.*--ack/],
  ])('and refuses %s in words', async (_what, config, message) => {
    await operatorCreates(config);
    await expect(claimStream(jsm, { name, subject })).rejects.toThrow(message);
  });
});

test('two processes that create a stream at once both get it', async () => {
  const both = await Promise.all([findOrCreateStream(jsm, { name, subject }), findOrCreateStream(jsm, { name, subject })]);
  expect(new Set(both.map(({ created }) => created)).size).toBe(1);
});

describe('a running service', () => {
  let orders: RunningService<ProducerContext>;
  let loyalty: RunningService<Database>;
  const start = async () => {
    orders = await platform.start(producer());
    loyalty = await platform.start(consumer());
    await Promise.all([orders.backbone, loyalty.backbone]);
  };
  afterEach(async () => {
    await orders[Symbol.asyncDispose]();
    await loyalty[Symbol.asyncDispose]();
  });

  const change = (thing: string) => orders.database.transaction((tx) => changeAndPublish(tx, thing, storeId));
  const effect = (thing: string) => until(async () => (await effectsOf(loyalty.database, thing)).length === 1, { describe: 'the effect' });
  const relayCheck = async () => {
    const { checks } = (await (await fetch(`${orders.url}/readyz`)).json()) as { checks: Record<string, string> };
    return checks.relay;
  };
  const relayCheckIs = (expected: RegExp) =>
    until(async () => expected.test((await relayCheck()) ?? ''), { describe: `the check of the relay to be ${expected}` });

  test('publishes to a stream whose settings an operator changes while it runs', async () => {
    await start();
    const [before, after] = [newThing(), newThing()];
    await change(before);
    await effect(before);
    await jsm.streams.update(name, { description: 'moved', max_age: 9 * day } as Partial<StreamUpdateConfig>);
    await change(after);
    await effect(after);
  });

  test('says in /readyz why it publishes nothing and what mends it, stays ready, and goes on once it is mended', async () => {
    await operatorCreates({ max_age: day });
    await start();
    const thing = newThing();
    await change(thing);
    await relayCheckIs(/publishes nothing.*keeps events for less than 7 days.*Run: nats stream edit/);
    await until(async () => (await fetch(`${orders.url}/readyz`)).status === 200, { describe: 'the service to be ready all the same' });
    expect(await effectsOf(loyalty.database, thing)).toEqual([]);
    await jsm.streams.update(name, { max_age: 7 * day });
    await effect(thing);
    await relayCheckIs(/^ok$/);
  });
});
