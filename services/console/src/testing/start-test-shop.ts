import {
  createLog,
  type Database,
  type EventHandlers,
  on,
  readConfig,
  type ServiceDefinition,
  serviceSettings,
  startService,
} from '@corner/chassis';
import { directoryStore } from '@corner/contracts';
import { startTestService, type TestService } from '@corner/testkit';
import { z } from 'zod';

export const poison = new Map<string, string>();

const eventHandlers: EventHandlers<Database> = {
  readStore: on(directoryStore, async ({ data }) => {
    const fault = poison.get(data.name);
    if (fault !== undefined) throw new Error(fault);
  }),
};

/** A service with the schema of the queue that only reads stores: operators' RPCs are the same in all services. */
const definition: ServiceDefinition<Database> = {
  name: 'queue',
  contracts: {},
  operations: {},
  eventHandlers,
  migrations: `${import.meta.dirname}/../../../queue/migrations`,
  context: ({ database }) => database,
};

export const startTestShop = () =>
  startTestService({
    name: 'queue',
    createLog,
    start: (environment, overrides) => startService(definition, readConfig(z.object(serviceSettings), environment), overrides),
  });

export type TestShop = TestService<Awaited<ReturnType<typeof startService<Database>>>>;
