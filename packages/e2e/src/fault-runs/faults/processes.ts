import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { requiredServices } from '@corner/contracts';
import { parentOf, type RunningSystem } from '@corner/sandbox/system';
import type { Fault } from '../fault.ts';

export interface Killable {
  readonly exited: Promise<unknown>;
  kill(): void;
  restart(): Promise<void>;
}

export async function killOnce(victim: Killable, random: () => number): Promise<void> {
  victim.kill();
  await victim.exited;
  await pause(random() * 2_000);
  await victim.restart();
}

async function killTwice(victim: Killable, random: () => number): Promise<void> {
  for (let kill = 0; kill < 2; kill += 1) {
    await killOnce(victim, random);
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
  ...([...requiredServices, 'gateway'] as const).map((name) => kill(name, ({ services: all }) => all[name])),
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

export const restarts: readonly Fault[] = [
  {
    name: 'restart postgres',
    about: 'Postgres is shut down and started again',
    on: 'plain',
    apply: ({ system }) => system.postgres.restart(),
  },
  {
    name: 'restart all services',
    about: 'the services and the gateway are restarted one after the other by SIGTERM',
    on: 'plain',
    async apply({ system }) {
      for (const name of [...requiredServices, 'gateway'] as const) await system.services[name].restart();
    },
  },
];

const seconds = 6;

const freeze = (name: string, pids: (system: RunningSystem) => readonly number[]): Fault => ({
  name: `pause ${name}`,
  about: `${name} stands still for ${seconds} seconds (SIGSTOP, SIGCONT): its connections stay open and nothing answers`,
  on: 'plain',
  async apply({ system }) {
    const stopped = pids(system);
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    try {
      await pause(seconds * 1000);
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    }
  },
});

const withChildren = (pid: number): number[] => [
  pid,
  ...readdirSync('/proc')
    .map(Number)
    .filter((other) => other > 0 && parentOf(other) === pid),
];

export const pauses: readonly Fault[] = [
  ...([...requiredServices, 'gateway'] as const).map((name) => freeze(name, ({ services: all }) => [all[name].pid])),
  freeze('nats', ({ nats }) => [nats.pid]),
  // They keep what arrived in memory, so a kill would lose it.
  freeze('the message providers', ({ messages }) => [messages.pid]),
  freeze('postgres', ({ postgres }) => withChildren(postgres.pid)),
];
