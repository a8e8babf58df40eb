import { setTimeout as pause } from 'node:timers/promises';
import { requiredServices } from '@corner/contracts';
import { makeEventHistory } from '../event-history.ts';
import type { Course, Fault } from '../fault.ts';
import type { Stage } from '../stage.ts';
import { asAdministrator } from './streams.ts';

const historyEvents = 200_000;

export const stores: readonly Fault[] = [
  {
    name: 'wipe nats',
    about: 'NATS is killed, and comes back with an empty folder: all streams and consumers are gone',
    on: 'plain',
    apply: wipe,
  },
  {
    name: 'wipe nats with a history',
    about: `the same, when the outboxes hold ${historyEvents.toLocaleString('en-GB')} events that were processed long before`,
    on: 'plain',
    prepare: (stage) => makeEventHistory(stage, historyEvents),
    apply: wipe,
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

async function wipe({ system: { nats } }: Stage, random: () => number, course: Course): Promise<void> {
  nats.kill();
  await nats.exited;
  await nats.wipe();
  await pause(random() * 1_000);
  await nats.restart();
  await course.answering();
}

const limitStreams = (stage: Stage, max_msgs: number): Promise<void> =>
  asAdministrator(stage, async (jsm) => {
    for (const service of requiredServices) await jsm.streams.update(service.toUpperCase(), { max_msgs });
  });
