import { cp, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { brokerFolder, putBack, type StreamPart, streamFolders, tearStream } from '../broker-folder.ts';
import type { Course, Fault } from '../fault.ts';
import type { Stage } from '../stage.ts';

export const brokerStores: readonly Fault[] = [
  {
    name: 'torn blocks',
    about:
      'up to three times NATS is killed and loses the end of what it wrote: the newest block of each stream is cut, with zeroes before the cut, and indexes, consumers or the description of the stream are damaged',
    on: 'plain',
    async apply(stage, random, course) {
      const times = 1 + Math.floor(random() * 3);
      for (let n = 0; n < times; n += 1) {
        await killBroker(stage);
        for (const stream of streamFolders(brokerFolder(stage))) course.note(`torn: ${stream.stream}: ${await tearStream(stream, random)}`);
        await pause(random() * 1_000);
        await restartBroker(stage, course);
        await pause(1_000 + random() * 1_000);
      }
    },
  },
  older('older stream', 'streams come back as they were some seconds before, and their consumers as they were at the end', 'msgs'),
  older('older consumers', 'consumers come back as they were some seconds before, and their streams as they were at the end', 'obs'),
];

function older(name: string, about: string, part: StreamPart): Fault {
  return {
    name,
    about: `NATS is killed, and ${about}`,
    on: 'plain',
    async apply(stage, random, course) {
      const folder = brokerFolder(stage);
      const copy = `${stage.folder}/copy of nats`;
      await endBroker(stage, random);
      await cp(folder, copy, { recursive: true });
      await stage.system.nats.restart();
      await pause(2_000 + random() * 3_000);
      await endBroker(stage, random);
      const affected = await putBack(copy, folder, part, (stream) => random() < 0.6 || stream === 'ORDERS');
      course.note(`put back: ${part} of ${affected.join(', ')}`);
      await rm(copy, { recursive: true });
      await restartBroker(stage, course);
    },
  };
}

const endBroker = (stage: Stage, random: () => number): Promise<void> => (random() < 0.5 ? killBroker(stage) : stage.system.nats.stop());

async function killBroker({ system: { nats } }: Stage): Promise<void> {
  nats.kill();
  await nats.exited;
}

/** Takes an empty folder if NATS does not start on its own, as an operator would. */
async function restartBroker({ system: { nats } }: Stage, course: Course): Promise<void> {
  try {
    await nats.restart();
  } catch (error) {
    course.note(`NATS did not start: ${error instanceof Error ? error.message : String(error)}`);
    await nats.wipe();
    await nats.restart();
  }
  await course.answering();
}
