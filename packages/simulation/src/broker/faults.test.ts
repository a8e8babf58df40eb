import { randomUUID } from 'node:crypto';
import { OutOfPlace } from '@corner/chassis/broker';
import { expect, test } from '@jest/globals';
import { SimulatedClock } from '../clock.ts';
import { noFaults } from './faults.ts';
import { SimulatedBroker } from './simulated-broker.ts';

const begin = () => {
  const clock = new SimulatedClock(new Date('2026-05-12T10:00:00Z'));
  const server = new SimulatedBroker(clock);
  const broker = server.connect();
  const publish = (msgID: string, after?: string) =>
    broker.publish('orders.x', msgID, { msgID, timeout: 100, ...(after ? { after } : {}) });
  const pull = async () => (await broker.findConsumer('orders', 'loyalty')).fetch({ max_messages: 10, expires: 1_000 });
  const take = async (messages: AsyncIterable<{ string(): string; ack(): void }>) => {
    const all: string[] = [];
    await clock.pass(1_000);
    for await (const message of messages) {
      all.push(message.string());
      message.ack();
    }
    return all;
  };
  return { clock, server, broker, publish, pull, take };
};

test('a lost acknowledgement of a publication leaves the message stored, and the repeat is acknowledged', async () => {
  const { clock, server, broker, publish } = begin();
  server.faults = { ...noFaults, publication: () => 'acknowledgement lost' };
  const rejected = expect(publish('a')).rejects.toThrow('no reply');
  await new Promise((resolve) => setImmediate(resolve));
  await clock.pass(100);
  await rejected;
  server.faults = noFaults;
  await publish('a');
  expect((await broker.lookAtStream('orders')).lastSequence).toBe(1);
});

test('a lost acknowledgement of a consumer has the event delivered again after its time', async () => {
  const { clock, server, publish, pull, take } = begin();
  server.faults = { ...noFaults, losesAck: () => true };
  await publish('a');
  expect(await take(await pull())).toEqual(['a']);
  expect(await take(await pull())).toEqual([]);
  await clock.pass(4_000);
  server.faults = noFaults;
  expect(await take(await pull())).toEqual(['a']);
  await clock.pass(9_000);
  expect(await take(await pull())).toEqual([]);
});

test('held events are delivered one by one, in any order', async () => {
  const { server, publish, pull, take } = begin();
  server.hold(true);
  const messages = await pull();
  for (const id of ['a', 'b', 'c']) await publish(id);
  const offered = server.deliverable.filter(({ service }) => service === 'loyalty');
  expect(offered.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  for (const at of [2, 0]) server.deliver(offered[at] ?? { producer: 'orders', service: 'loyalty', sequence: 0 });
  expect(server.deliverable.map(({ sequence }) => sequence)).toEqual([2]);
  expect(await take(messages)).toEqual(['c', 'a']);
});

test('a broker that lost its newest messages gives their sequences again, and delivers what it has anew', async () => {
  const { server, broker, publish, pull, take } = begin();
  const ids = [randomUUID(), randomUUID(), randomUUID()] as const;
  for (const id of ids) await publish(id);
  expect(await take(await pull())).toEqual(ids);
  const lost = broker.untilLost();
  server.restart(2);
  expect(lost.aborted).toBe(true);
  expect(broker.untilLost().aborted).toBe(false);
  await expect(publish('d', ids[2])).rejects.toThrow(OutOfPlace);
  await publish(ids[2], ids[0]);
  expect((await broker.lookAtStream('orders')).lastSequence).toBe(2);
  expect(await take(await pull())).toEqual([ids[0], ids[2]]);
});
