import { services } from '@corner/contracts';
import type { Fault } from '../fault.ts';

/** Restarts by signal, as a deployment makes them: what runs drains, and what is accepted is answered. */
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
      for (const name of [...services, 'gateway'] as const) await system.services[name].restart();
    },
  },
];
