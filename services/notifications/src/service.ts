import type { ServiceDefinition } from '@corner/chassis';
import { notifications } from '@corner/contracts';
import { answers } from './answers.ts';
import { type Context, createContext } from './context.ts';
import { operations } from './operations.ts';
import { reactions } from './reactions.ts';

/** The service as the chassis runs it: its doors, by kind. */
export const notificationsService: ServiceDefinition<Context> = {
  name: 'notifications',
  contracts: notifications,
  operations,
  reactions,
  answers,
  migrations: `${import.meta.dirname}/../migrations`,
  context: createContext,
};
