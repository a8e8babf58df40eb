import type { ServiceDefinition } from '@corner/chassis';
import { queue } from '@corner/contracts';
import { type Context, createContext } from './context.ts';
import { eventHandlers } from './event-handlers.ts';
import { jobs } from './jobs.ts';
import { operations } from './operations.ts';
import { explainEntries } from './tables/explain.ts';

/** The service as the chassis runs it: its doors, by kind. */
export const queueService: ServiceDefinition<Context> = {
  name: 'queue',
  contracts: queue,
  operations,
  eventHandlers,
  jobs,
  explain: (ids, { database }) => explainEntries(database, ids),
  migrations: `${import.meta.dirname}/../migrations`,
  context: createContext,
};
