import { readdirSync, readFileSync } from 'node:fs';
import type { RunningSystem } from '@corner/sandbox';

/** Seconds of processor time used so far, by process. */
export type ProcessorTime = Readonly<Record<string, number>>;

/** The kernel's unit of time in /proc, on every common architecture. */
const ticksPerSecond = 100;

/** Reads the processor time of every process of the system, and of this one. Empty on systems without /proc. */
export function processorTime(system: RunningSystem): ProcessorTime {
  const all = processes();
  if (all.size === 0) return {};
  const own = (pid: number) => all.get(pid)?.seconds ?? 0;
  const family = (pid: number): number =>
    [...all.values()].filter(({ parent }) => parent === pid).reduce((sum, child) => sum + child.seconds, all.get(pid)?.withReaped ?? 0);
  const used = {
    ...Object.fromEntries(Object.values(system.services).map(({ name, pid }) => [name, own(pid)])),
    ...(system.payments ? { payments: own(system.payments.pid) } : {}),
    postgres: family(system.postgres.pid),
    nats: own(system.nats.pid),
    'load generator': own(process.pid),
  };
  const ours = Object.values(used).reduce((sum, seconds) => sum + seconds, 0);
  return { ...used, 'all else on the machine': machineSeconds() - ours };
}

/** Seconds that all cores together were busy. */
function machineSeconds(): number {
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '')
    .split(/\s+/)
    .slice(1)
    .map((ticks) => Number(ticks) / ticksPerSecond);
  return user + nice + system + interrupts + soft;
}

/** The processor time between two readings. */
export const usedBetween = (before: ProcessorTime, after: ProcessorTime): ProcessorTime =>
  Object.fromEntries(Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]));

interface Used {
  readonly parent: number;
  readonly seconds: number;
  /** Including children that have ended. */
  readonly withReaped: number;
}

function processes(): Map<number, Used> {
  const byPid = new Map<number, Used>();
  for (const entry of namesIn('/proc')) {
    const pid = Number(entry);
    const fields = Number.isInteger(pid) ? fieldsOf(pid) : null;
    if (!fields) continue;
    const [user, system, reapedUser, reapedSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) / ticksPerSecond) as [
      number,
      number,
      number,
      number,
    ];
    byPid.set(pid, { parent: Number(fields[1]), seconds: user + system, withReaped: user + system + reapedUser + reapedSystem });
  }
  return byPid;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The fields of /proc/<pid>/stat after the name, which may hold anything; null when the process is gone. */
function fieldsOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
