import type { ServiceDefinition } from '@corner/chassis';
import { loyalty } from '@corner/contracts';
import { answers } from './answers.ts';
import type { LoyaltyConfig } from './config.ts';
import { type Context, createContext } from './context.ts';
import { operations } from './operations.ts';
import { reactions } from './reactions.ts';
import { schedules } from './schedules.ts';
import { explainCards } from './tables/explain.ts';

/** The service as the chassis runs it: its doors, by kind. */
export const loyaltyService = (config: LoyaltyConfig): ServiceDefinition<Context> => ({
  name: 'loyalty',
  contracts: loyalty,
  operations,
  reactions,
  answers,
  schedules,
  explain: (ids, { database }) => explainCards(database, ids),
  migrations: `${import.meta.dirname}/../migrations`,
  context: (platform) => createContext(platform, config),
});
