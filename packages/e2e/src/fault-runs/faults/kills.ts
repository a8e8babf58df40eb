import { setTimeout as pause } from 'node:timers/promises';
import { services } from '@corner/contracts';
import type { RunningSystem } from '@corner/sandbox/system';
import type { Fault } from '../fault.ts';

interface Killable {
  readonly exited: Promise<unknown>;
  kill(): void;
  restart(): Promise<void>;
}

/** Kills twice, with pauses, and lets it be away for up to two seconds. */
async function killTwice(victim: Killable, random: () => number): Promise<void> {
  for (let kill = 0; kill < 2; kill += 1) {
    victim.kill();
    await victim.exited;
    await pause(random() * 2_000);
    await victim.restart();
    await pause(random() * 1_000);
  }
}

const kill = (name: string, victim: (system: RunningSystem) => Killable | null): Fault => ({
  name: `kill ${name}`,
  about: `${name} is killed with kill -9 twice, each time away for up to two seconds`,
  on: 'plain',
  async apply({ system }, random) {
    const found = victim(system);
    if (found) await killTwice(found, random);
  },
});

export const kills: readonly Fault[] = [
  ...([...services, 'gateway'] as const).map((name) => kill(name, ({ services: all }) => all[name])),
  kill('nats', ({ nats }) => nats),
  kill('postgres', ({ postgres }) => postgres),
  kill('the payment provider', ({ payments }) => payments),
  {
    name: 'kill everything',
    about: 'all services, the gateway, NATS and Postgres are killed at once and started again',
    on: 'plain',
    async apply({ system }) {
      const servers = [system.postgres, system.nats];
      const processes = Object.values(system.services);
      for (const victim of [...processes, ...servers]) victim.kill();
      await Promise.all([...processes, ...servers].map(({ exited }) => exited));
      await Promise.all(servers.map((server) => server.restart()));
      await Promise.all(processes.map((process) => process.restart()));
    },
  },
];
