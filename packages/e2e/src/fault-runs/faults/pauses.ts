import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { services } from '@corner/contracts';
import { parentOf, type RunningSystem } from '@corner/sandbox/system';
import type { Fault } from '../fault.ts';

/** Seconds for which a process stands still. */
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

/** Postgres is a process for each connection, beside its first one. */
const withChildren = (pid: number): number[] => [
  pid,
  ...readdirSync('/proc')
    .map(Number)
    .filter((other) => other > 0 && parentOf(other) === pid),
];

export const pauses: readonly Fault[] = [
  ...([...services, 'gateway'] as const).map((name) => freeze(name, ({ services: all }) => [all[name].pid])),
  freeze('nats', ({ nats }) => [nats.pid]),
  // They keep what arrived in memory, so a kill would lose it.
  freeze('the message providers', ({ messages }) => [messages.pid]),
  freeze('postgres', ({ postgres }) => withChildren(postgres.pid)),
];
