import { randomUUID } from 'node:crypto';
import { createLog } from '@corner/chassis';
import { type Broker, type DeliveredMessage, OutOfPlace } from '@corner/chassis/broker';
import { beginConnecting } from '@corner/chassis/calls';
import { testBroker, until } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SimulatedClock } from '../clock.ts';
import { SimulatedBroker } from './simulated-broker.ts';

interface Kind extends AsyncDisposable {
  readonly broker: Broker;
  readonly passes: (milliseconds: number) => Promise<void>;
}

const kinds: Readonly<Record<string, () => Promise<Kind>>> = {
  async NATS() {
    const { url, namespace, ...streams } = await testBroker();
    const log = createLog('orders', 'error', { write() {} });
    const connection = beginConnecting({ login: { NATS_URL: url }, namespace, name: 'orders', log });
    return {
      broker: await connection.broker,
      passes: async () => {},
      async [Symbol.asyncDispose]() {
        await connection[Symbol.asyncDispose]();
        await streams[Symbol.asyncDispose]();
      },
    };
  },
  async 'the simulated broker'() {
    const clock = new SimulatedClock(new Date());
    const broker = new SimulatedBroker(clock).connect();
    return { broker, passes: (milliseconds) => clock.pass(milliseconds), [Symbol.asyncDispose]: () => broker[Symbol.asyncDispose]() };
  },
};

describe.each(Object.entries(kinds))('%s', (_, open) => {
  let kind: Kind;
  let broker: Broker;
  beforeAll(async () => {
    kind = await open();
    broker = kind.broker;
  });
  afterAll(async () => {
    await kind[Symbol.asyncDispose]();
  });

  const subject = (name: string) => broker.subject(`orders.${name}`);
  const publish = (name: string, body = name, msgID: string = randomUUID(), after?: string) =>
    broker.publish(subject(name), body, { msgID, ...(after ? { after } : {}) });
  const stored = async (pattern: string) => {
    const all: string[] = [];
    for await (const message of broker.readStored('orders', { from: 1, subject: subject(pattern) })) all.push(message.string());
    return all;
  };
  const pull = async (most: number, service: 'loyalty' | 'notifications' = 'loyalty'): Promise<DeliveredMessage[]> => {
    const messages: DeliveredMessage[] = [];
    const consumer = await broker.findConsumer('orders', service);
    const opened = await consumer.fetch({ max_messages: most, expires: 1_000 });
    const reading = (async () => {
      for await (const message of opened) messages.push(message);
    })();
    if (most > 100) await kind.passes(1_000);
    await reading;
    return messages;
  };
  const drained = async () => {
    for (const service of ['loyalty', 'notifications'] as const) for (const message of await pull(101, service)) message.ack();
  };

  test('a stream stores a message once, however often it is published under its id', async () => {
    const id = randomUUID();
    await publish('once', 'first', id);
    await publish('once', 'second', id);
    expect(await stored('once')).toEqual(['first']);
  });

  test('a message is stored behind the one that it names, and refused behind another', async () => {
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    await publish('chain', '1', first);
    await publish('chain', '2', second, first);
    await expect(publish('chain', '3', third, first)).rejects.toThrow(OutOfPlace);
    await publish('chain', '2', second, third);
    expect(await stored('chain')).toEqual(['1', '2']);
  });

  test('each service gets each message in the order of the stream, with its headers', async () => {
    await drained();
    const headers = { 'X-Number': '7' };
    await broker.publish(subject('served'), 'a', { msgID: randomUUID(), headers });
    await publish('served', 'b');
    for (const service of ['loyalty', 'notifications'] as const) {
      const messages = await pull(2, service);
      expect(messages.map((message) => message.string())).toEqual(['a', 'b']);
      expect(messages.map((message) => message.headers?.get('X-Number') ?? '')).toEqual(['7', '']);
      expect(messages[0]?.headers?.has('X-Other')).toBe(false);
      expect(messages.map(({ redelivered, info }) => [redelivered, info.deliveryCount])).toEqual([
        [false, 1],
        [false, 1],
      ]);
      for (const message of messages) message.ack();
    }
    expect(await pull(101)).toEqual([]);
  });

  test('a message that is handed back comes again, and says so', async () => {
    await drained();
    await publish('again');
    const [first] = await pull(1);
    expect(await broker.lagOf('orders', 'loyalty')).toBe(1);
    first?.nak();
    const [again] = await pull(1);
    expect([again?.string(), again?.redelivered, again?.info.deliveryCount]).toEqual(['again', true, 2]);
    again?.ack();
    await until(async () => (await broker.lagOf('orders', 'loyalty')) === 0, { describe: 'the acknowledgement' });
  });

  test('a pull gets what is published while it waits, and ends when its time is over', async () => {
    await drained();
    const waiting = pull(1);
    await publish('later');
    expect((await waiting).map((message) => message.string())).toEqual(['later']);
    await drained();
    expect(await pull(101)).toEqual([]);
  });

  test('the stream of the directory keeps the newest message of each subject', async () => {
    const of = (object: string) => broker.subject(`directory.store.${object}`);
    for (const [object, body] of [
      ['a', '1'],
      ['b', '1'],
      ['a', '2'],
    ] as const)
      await broker.publish(of(object), body, { msgID: randomUUID() });
    expect((await broker.newestStored('directory', of('a')))?.string()).toBe('2');
    expect(await broker.newestStored('directory', of('c'))).toBeNull();
    const all: string[] = [];
    for await (const message of broker.readStored('directory', { from: 1 })) all.push(message.string());
    expect(all).toEqual(['1', '2']);
  });

  test('a range of a stream is read in its order, and found by its time', async () => {
    const before = await broker.lookAtStream('orders');
    for (const name of ['1', '2', '3']) await publish(`range.${name}`);
    const from = before.lastSequence + 1;
    const read: [number, string][] = [];
    for await (const message of broker.readStored('orders', { from, to: from + 1 })) read.push([message.seq, message.string()]);
    expect(read).toEqual([
      [from, 'range.1'],
      [from + 1, 'range.2'],
    ]);
    expect(await broker.sequenceSince('orders', new Date(0))).toBe(1);
    expect(await broker.sequenceSince('orders', new Date(Date.now() + 86_400_000))).toBe(from + 3);
    expect((await broker.lookAtStream('orders')).lastSequence).toBe(from + 2);
  });

  test('a request goes to one of a group and to each that is alone, and has the first reply', async () => {
    const served: string[] = [];
    const to = broker.subject('rpc.test.echo');
    const reply = (name: string) => (_: unknown, message: { string(): string; respond(body: string): unknown }) => {
      served.push(name);
      message.respond(JSON.stringify({ echo: message.string() }));
    };
    const subscriptions = [
      broker.subscribe(to, { queue: 'group', callback: reply('group') }),
      broker.subscribe(to, { queue: 'group', callback: reply('group') }),
      broker.subscribe(to, { callback: (_, message) => void served.push(message.headers?.get('X-Request-Id') ?? '') }),
    ];
    await broker.flush();
    const headers = { 'X-Request-Id': 'r1' };
    expect((await broker.request(to, 'hello', { timeout: 5_000, headers })).json()).toEqual({ echo: 'hello' });
    await until(() => served.length === 2, { describe: 'both receivers' });
    expect(served.sort()).toEqual(['group', 'r1']);
    await Promise.all(subscriptions.map((one) => one.drain()));
    expect(subscriptions.every((one) => one.isClosed())).toBe(true);
  });

  test('a request that no one serves, or to which no one replies in time, is rejected', async () => {
    const to = broker.subject('rpc.test.silence');
    await expect(broker.request(to, '', { timeout: 5_000 })).rejects.toThrow();
    const silent = broker.subscribe(to, { callback() {} });
    await broker.flush();
    const asked = broker.request(to, '', { timeout: 50 });
    const rejected = expect(asked).rejects.toThrow();
    await kind.passes(50);
    await rejected;
    silent.unsubscribe();
  });

  test('who follows the subject of a stream gets what is published from then on', async () => {
    const received: string[] = [];
    const subscription = broker.subscribe(subject('live.*'), { callback: (_, message) => void received.push(message.string()) });
    await broker.flush();
    await publish('live.a');
    await publish('other');
    await publish('live.b');
    await until(() => received.length === 2, { describe: 'both events' });
    expect(received).toEqual(['live.a', 'live.b']);
    subscription.unsubscribe();
  });
});
