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

/** Names of stores that the service of a test cannot process, each with the text of its error. */
export const poison = new Map<string, string>();

const eventHandlers: EventHandlers<Database> = {
  readStore: on(directoryStore, async ({ data }) => {
    const fault = poison.get(data.name);
    if (fault !== undefined) throw new Error(fault);
  }),
};

/** A service with the schema of the queue that only reads stores: what an operator asks of a service is the same in all of them. */
const definition: ServiceDefinition<Database> = {
  name: 'queue',
  contracts: {},
  operations: {},
  eventHandlers,
  migrations: `${import.meta.dirname}/../../../queue/migrations`,
  context: ({ database }) => database,
};

/** Starts that service on a database and a namespace of NATS of its own. */
export const startTestShop = () =>
  startTestService({
    name: 'queue',
    createLog,
    start: (environment, overrides) => startService(definition, readConfig(z.object(serviceSettings), environment), overrides),
  });

export type TestShop = TestService<Awaited<ReturnType<typeof startService<Database>>>>;
