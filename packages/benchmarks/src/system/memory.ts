import { readFileSync } from 'node:fs';
import type { RunningSystem } from '@corner/sandbox/system';

export type Memory = Readonly<Record<string, number>>;

/** Megabytes by PSS: memory shared by several services counts once in total. Throws on systems without /proc. */
export const memoryOf = ({ services }: RunningSystem): Memory =>
  Object.fromEntries(Object.values(services).map(({ name, pid }) => [name, megabytesOf(pid)]));

export const memoryOfServers = ({ postgres, nats }: RunningSystem): Memory => ({
  postgres: megabytesInAll([megabytesOf(postgres.pid), ...childrenOf(postgres.pid).map(megabytesOrNone)]),
  nats: megabytesOf(nats.pid),
});

function megabytesOf(pid: number): number {
  const kilobytes = /^Pss: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`no memory of process ${pid}`);
  return Number(kilobytes) / 1024;
}

function megabytesOrNone(pid: number): number {
  try {
    return megabytesOf(pid);
  } catch {
    return 0;
  }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

export const megabytesInAll = (memory: Memory | readonly number[]): number =>
  Object.values(memory).reduce((sum: number, each: number) => sum + each, 0);
