import { availableParallelism, cpus } from 'node:os';
import type { RunningSystem } from '@corner/sandbox';

/** What the figures were taken on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  readonly postgres: string;
  readonly nats: string;
  readonly at: string;
}

/** Names the machine and the versions of what runs on it. */
export const describeMachine = ({ postgres, nats }: RunningSystem): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  node: process.versions.node,
  postgres: postgres.version,
  nats: nats.version,
  at: new Date().toISOString(),
});

/** The same in one line. */
export const machineInWords = ({ cpu, cores, node, postgres, nats, at }: Machine): string =>
  `${cpu}, ${cores} cores; Node ${node}, Postgres ${postgres}, NATS ${nats}; ${at}`;
