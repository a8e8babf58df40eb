import { readFileSync } from 'node:fs';
import type { RunningSystem } from '@corner/sandbox/system';

/**
 * Megabytes that the services and the gateway hold, as Linux divides them: what several processes share, such as the program of Node,
 * counts once in all (PSS). Throws on systems without /proc.
 */
export const memoryOf = ({ services }: RunningSystem): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.values(services).map(({ name, pid }) => [name, megabytesOf(pid)]));

function megabytesOf(pid: number): number {
  const kilobytes = /^Pss: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`no memory of process ${pid}`);
  return Number(kilobytes) / 1024;
}

/** The sum of all processes. */
export const megabytesInAll = (memory: Readonly<Record<string, number>>): number => Object.values(memory).reduce((sum, each) => sum + each);

/** As a line: `orders 62, loyalty 55, …`. */
export const memoryAsText = (memory: Readonly<Record<string, number>>): string =>
  Object.entries(memory)
    .map(([name, megabytes]) => `${name} ${Math.round(megabytes)}`)
    .join(', ');
