import { setTimeout as pause } from 'node:timers/promises';
import { canMount, fillerIn } from '@corner/testkit';
import type { Fault } from '../fault.ts';
import { diskOf } from '../stage-servers.ts';

/** Mounting the small file systems needs root. */
export const disk: readonly Fault[] = canMount
  ? [
      {
        name: 'full disk',
        about: 'the file system of Postgres is full for six seconds; where Postgres has ended by then, it is started again with space',
        on: 'small disk',
        async apply({ system, folder }) {
          const filler = fillerIn(diskOf(folder, 'postgres'));
          await filler.fill();
          await pause(6_000);
          await filler.free();
          const ended = await Promise.race([system.postgres.exited.then(() => true), pause(1_000, false)]);
          if (ended) await system.postgres.restart();
        },
      },
      {
        name: 'full disk of nats',
        about:
          'the file system of NATS is full for six seconds; where its JetStream stores nothing after that, it is started again with space',
        on: 'small disk',
        async apply({ system, folder }, _random, { note }) {
          const filler = fillerIn(diskOf(folder, 'nats'));
          await filler.fill();
          await pause(6_000);
          const { checks } = (await (await fetch(`${system.services.orders.url}/readyz`)).json()) as { checks: { relay: string } };
          note(`orders said meanwhile: ${checks.relay}`);
          await filler.free();
          if (!(await system.nats.needsRestart())) return;
          note('JetStream stored nothing until NATS was started again');
          system.nats.kill();
          await system.nats.restart();
        },
      },
    ]
  : [];
