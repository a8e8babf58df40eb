import { availableParallelism, cpus, totalmem } from 'node:os';
import type { RunningSystem } from '@corner/sandbox/system';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly versions: readonly string[];
  readonly at: string;
}

export const describeMachine = (system: Pick<RunningSystem, 'postgres' | 'nats'> | null): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / 1024 ** 3),
  versions: [`Node ${process.versions.node}`, ...(system ? [`Postgres ${system.postgres.version}`, `NATS ${system.nats.version}`] : [])],
  at: new Date().toISOString(),
});

export const machineLine = ({ cpu, cores, memoryGb, versions, at }: Machine): string =>
  `${cpu}, ${cores} cores, ${memoryGb} GB; ${versions.join(', ')}; ${at.slice(0, 10)}`;
