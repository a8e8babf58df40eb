import { setTimeout as pause } from 'node:timers/promises';
import { services } from '@corner/contracts';
import { connectNats } from '@corner/sandbox';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Fault } from '../fault.ts';
import type { Stage } from '../stage.ts';

/** What happens to the folder in which NATS keeps its streams. */
export const stores: readonly Fault[] = [
  {
    name: 'wipe nats',
    about: 'NATS is killed, and comes back with an empty folder: all streams and consumers are gone',
    on: 'plain',
    async apply({ system: { nats } }, random) {
      nats.kill();
      await nats.exited;
      await nats.wipe();
      await pause(random() * 1_000);
      await nats.restart();
    },
  },
  {
    name: 'full nats',
    about: 'the streams of all services are full for five seconds, so that NATS refuses every event',
    on: 'plain',
    async apply(stage) {
      await limitStreams(stage, 1);
      await pause(5_000);
      await limitStreams(stage, -1);
    },
  },
];

async function limitStreams({ system }: Stage, max_msgs: number): Promise<void> {
  const connection = await connectNats(system.natsUrl, 'corner faults');
  try {
    const jsm = await jetstreamManager(connection);
    for (const service of services) await jsm.streams.update(service.toUpperCase(), { max_msgs });
  } finally {
    await connection.close();
  }
}
