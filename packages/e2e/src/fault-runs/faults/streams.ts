import { setTimeout as pause } from 'node:timers/promises';
import { producersFor, type RequiredService, requiredServices } from '@corner/contracts';
import { connectNats } from '@corner/nats';
import { consumersOfProducer } from '@corner/simulation';
import { DeliverPolicy, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { Fault } from '../fault.ts';
import { anyOf, type Stage } from '../stage.ts';

const producers = requiredServices.filter((service) => consumersOfProducer(service).length > 0);
const consumers = requiredServices.filter((service) => producers.some((producer) => producersFor(service).includes(producer)));

export const streams: readonly Fault[] = [
  {
    name: 'emptied stream',
    about: 'streams with events that no consumer has read are purged, or deleted and made again, or deleted, while all services run',
    on: 'plain',
    apply: (stage, random, course) =>
      asAdministrator(stage, async (jsm) => {
        const chosen = producers.filter((producer) => producer === 'orders' || random() < 0.5);
        const how = anyOf(['purged', 'deleted and made again', 'deleted'] as const, random);
        await whileStopped(stage, consumers, async () => {
          await pause(1_500 + random() * 1_500);
          for (const producer of chosen) course.note(await empty(jsm, producer.toUpperCase(), how));
        });
        await course.answering();
      }),
  },
  {
    name: 'deleted message',
    about: 'one event that no consumer has read, in the middle of others, is deleted from its stream',
    on: 'plain',
    apply: (stage, random, course) =>
      asAdministrator(stage, async (jsm) => {
        await whileStopped(stage, consumers, async () => {
          // Pending pulls end after two seconds; later messages wait in the stream.
          await pause(2_500);
          const delivered = await deliveredUpTo(jsm, 'ORDERS');
          await pause(1_000);
          const { last_seq: last } = (await jsm.streams.info('ORDERS')).state;
          const seq = delivered + 1 + Math.floor(random() * (last - delivered - 1));
          const erased = random() < 0.5;
          await jsm.streams.deleteMessage('ORDERS', seq, erased);
          course.note(`deleted: ${seq} of ORDERS, between ${delivered} and ${last}${erased ? ', erased' : ''}`);
        });
        await course.answering();
      }),
  },
  {
    name: 'skipped consumer',
    about: 'the durable consumer of a service is deleted and made anew with a later start, at the end of its stream or beyond it',
    on: 'plain',
    apply: (stage, random, course) =>
      asAdministrator(stage, async (jsm) => {
        const service = anyOf(consumers, random);
        const stream = 'ORDERS';
        const process = stage.system.services[service];
        const isAway = random() < 0.7;
        if (isAway) {
          process.kill();
          await process.exited;
          await pause(1_500 + random() * 1_500);
        }
        const beyond = random() < 0.5 ? 1 : 100_000;
        const { config, delivered } = await jsm.consumers.info(stream, service);
        const { opt_start_time: _, ...kept } = config;
        const { last_seq: last } = (await jsm.streams.info(stream)).state;
        await jsm.consumers.delete(stream, service);
        await jsm.consumers.add(stream, { ...kept, deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: last + beyond });
        const made = await jsm.consumers.info(stream, service);
        course.note(
          `${service}, ${isAway ? 'killed' : 'running'}: its consumer of ${stream} had delivered ${delivered.stream_seq} of ${last}, ` +
            `and begins at ${last + beyond}; it says that ${made.delivered.stream_seq} is delivered and ${made.num_pending} wait`,
        );
        if (isAway) await process.restart();
        await course.answering();
      }),
  },
];

async function empty(jsm: JetStreamManager, stream: string, how: 'purged' | 'deleted and made again' | 'deleted'): Promise<string> {
  const { config, state } = await jsm.streams.info(stream);
  const waiting = state.last_seq - (await deliveredUpTo(jsm, stream));
  if (how === 'purged') await jsm.streams.purge(stream);
  else {
    await jsm.streams.delete(stream);
    if (how === 'deleted and made again') await jsm.streams.add(config);
  }
  return `${how}: ${stream}, with ${state.messages} events, of which ${waiting} were not delivered to all`;
}

async function deliveredUpTo(jsm: JetStreamManager, stream: string): Promise<number> {
  const delivered: number[] = [];
  for await (const consumer of jsm.consumers.list(stream)) delivered.push(consumer.delivered.stream_seq);
  return Math.min(...delivered);
}

async function whileStopped({ system }: Stage, names: readonly RequiredService[], work: () => Promise<void>): Promise<void> {
  const pids = names.map((name) => system.services[name].pid);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}

export async function asAdministrator<T>({ system }: Stage, work: (jsm: JetStreamManager) => Promise<T>): Promise<T> {
  const connection = await connectNats(system.natsUrl, 'corner faults');
  try {
    return await work(await jetstreamManager(connection));
  } finally {
    await connection.close();
  }
}
