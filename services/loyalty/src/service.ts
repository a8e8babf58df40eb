import type { ServiceDefinition } from '@corner/chassis';
import { loyalty } from '@corner/contracts';
import type { LoyaltyConfig } from './config.ts';
import { type Context, createContext } from './context.ts';
import { eventHandlers } from './event-handlers.ts';
import { jobs } from './jobs.ts';
import { operations } from './operations.ts';
import { rpcHandlers } from './rpc-handlers.ts';
import { explainCards } from './tables/explain.ts';

/** The service as the chassis runs it: its doors, by kind. */
export const loyaltyService = (config: LoyaltyConfig): ServiceDefinition<Context> => ({
  name: 'loyalty',
  contracts: loyalty,
  operations,
  eventHandlers,
  rpcHandlers,
  jobs,
  explain: (ids, { database }) => explainCards(database, ids),
  migrations: `${import.meta.dirname}/../migrations`,
  context: (platform) => createContext(platform, config),
});
