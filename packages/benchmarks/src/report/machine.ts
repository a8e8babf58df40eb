import { availableParallelism, cpus } from 'node:os';
import type { RunningSystem } from '@corner/sandbox';

/** The machine and the versions of the servers that were measured. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  readonly postgres: string;
  readonly nats: string;
  readonly at: string;
}

/** Describes this machine and the versions of the system's servers. */
export const describeMachine = ({ postgres, nats }: RunningSystem): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  node: process.versions.node,
  postgres: postgres.version,
  nats: nats.version,
  at: new Date().toISOString(),
});

/** The description in one line. */
export const machineLine = ({ cpu, cores, node, postgres, nats, at }: Machine): string =>
  `${cpu}, ${cores} cores; Node ${node}, Postgres ${postgres}, NATS ${nats}; ${at}`;
