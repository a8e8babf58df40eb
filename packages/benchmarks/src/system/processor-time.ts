import { readdirSync, readFileSync } from 'node:fs';
import { type BenchSystem, benchApplication } from './bench-system.ts';

type Pid = { readonly pid: number };

export interface Processes extends Pick<BenchSystem, 'database'> {
  readonly system: {
    readonly services: Readonly<Record<string, Pid & { readonly name: string }>>;
    readonly postgres: Pid;
    readonly nats: Pid;
    readonly messages: Pid;
    readonly payments: Pid | null;
  };
}

export type ProcessorTime = Readonly<Record<string, number>>;

const outside = ['providers', 'load generator', 'all else on the machine'];

const ticksPerSecond = 100;

/**
 * The processor time that every process has used so far. `providers` are the simulators; the benchmarks' own connections count as the load
 * generator's. Throws without /proc.
 */
export async function processorTime({ system, database }: Processes): Promise<ProcessorTime> {
  const { rows } = await database.query<{ pid: number }>('select pid from pg_stat_activity where application_name = $1', [
    benchApplication,
  ]);
  const all = processes();
  if (all.size === 0) throw new Error('processor time is read from /proc, which this system does not have');
  const own = (pid: number) => all.get(pid)?.seconds ?? 0;
  const family = (pid: number): number =>
    [...all.values()].filter(({ parent }) => parent === pid).reduce((sum, child) => sum + child.seconds, all.get(pid)?.withReaped ?? 0);
  const forLoad = rows.reduce((sum, { pid }) => sum + own(pid), 0);
  const used = {
    ...Object.fromEntries(Object.values(system.services).map(({ name, pid }) => [name, own(pid)])),
    postgres: family(system.postgres.pid) - forLoad,
    nats: own(system.nats.pid),
    providers: own(system.messages.pid) + (system.payments ? own(system.payments.pid) : 0),
    'load generator': (all.get(process.pid)?.withReaped ?? 0) + forLoad,
  };
  const ours = Object.values(used).reduce((sum, seconds) => sum + seconds, 0);
  return { ...used, 'all else on the machine': machineSeconds() - ours };
}

export const processSeconds = (pid: number): number => processes().get(pid)?.seconds ?? 0;

export const platformTime = (time: ProcessorTime): number =>
  Object.entries(time).reduce((sum, [name, seconds]) => (outside.includes(name) ? sum : sum + seconds), 0);

function machineSeconds(): number {
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '')
    .split(/\s+/)
    .slice(1)
    .map((ticks) => Number(ticks) / ticksPerSecond);
  return user + nice + system + interrupts + soft;
}

interface Used {
  readonly parent: number;
  readonly seconds: number;
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

/** The fields after the name, which may contain any character; null when the process has ended. */
function fieldsOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
