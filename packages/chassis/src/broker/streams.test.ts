import { until } from '@corner/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type JetStreamManager, jetstreamManager, type StreamUpdateConfig } from '@nats-io/jetstream';
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node';
import type { Database } from '../database/database.ts';
import type { RunningService } from '../service.ts';
import { effectsOf, newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { changeAndPublish, consumer, type ProducerContext, producer } from '../testing/services.ts';
import { lookAtStream } from './streams.ts';

const day = nanos(86_400_000);

let platform: Platform;
let connection: NatsConnection;
let jsm: JetStreamManager;
let name: string;
beforeEach(async () => {
  platform = await preparePlatform();
  connection = await connect({ servers: platform.broker.url });
  jsm = await jetstreamManager(connection);
  name = `${platform.broker.namespace.toUpperCase()}ORDERS`;
});
afterEach(async () => {
  await connection.close();
  await platform[Symbol.asyncDispose]();
});

test('a stream is looked at and not made: one that is missing is an error that names what makes it', async () => {
  const look = () => lookAtStream(jsm, 'orders', platform.broker.namespace);
  expect(await look()).toEqual({ firstSequence: 0, lastSequence: 0, fault: null });
  await jsm.streams.delete(name);
  for (let times = 0; times < 2; times += 1)
    await expect(look()).rejects.toThrow(`The stream ${name} is missing. \`corner streams\` makes it`);
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
    await jsm.streams.update(name, { max_age: day });
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
