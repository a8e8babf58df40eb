import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { requiredServices } from '@corner/contracts';
import type { Fault } from '../fault.ts';
import { copyService } from '../service-copy.ts';

const run = promisify(execFile);

export const restores: readonly Fault[] = [
  {
    name: 'restored postgres',
    about:
      'Postgres, with the databases of all services, is restored to an earlier moment, while NATS keeps the events that were published since',
    on: 'plain',
    async apply({ folder, system }, random, course) {
      const { postgres } = system;
      const [cluster, copy] = [`${folder}/system/postgres/cluster`, `${folder}/copy of postgres`];
      await postgres.stop();
      const from = performance.now();
      // File owners must stay the same, and Node's copy does not keep them.
      await run('cp', ['-a', cluster, copy]);
      await postgres.restart();
      await pause(4_000 + random() * 3_000);
      const processes = random() < 0.5 ? requiredServices.map((service) => system.services[service]) : [];
      for (const process of processes) process.kill();
      await Promise.all(processes.map(({ exited }) => exited));
      await postgres.stop();
      await rm(cluster, { recursive: true });
      await rename(copy, cluster);
      await postgres.restart();
      await Promise.all(processes.map((process) => process.restart()));
      course.note(processes.length > 0 ? 'services were killed before the restore' : 'services kept running');
      course.forgot({ from, to: performance.now() });
      await course.answering();
    },
  },
  {
    name: 'restored producer',
    about: 'the database of orders is restored to an earlier moment, while NATS and the other services keep what orders published since',
    on: 'plain',
    async apply({ system }, random, course) {
      const { orders } = system.services;
      const from = performance.now();
      const copy = await copyService(system.databaseUrl, 'orders');
      await pause(3_000 + random() * 3_000);
      orders.kill();
      await orders.exited;
      await copy.putBack();
      await orders.restart();
      course.forgot({ from, to: performance.now() });
      await course.answering();
    },
  },
];
