import { createLog, type Overrides, type RunningService, startService } from '@corner/chassis';
import { startTestService, type TestService } from '@corner/testkit';
import { readDirectoryConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { directoryService } from '../service.ts';

export type Running = TestService<RunningService<Context>>;

/** Starts the service with its clock held, by default at noon in London on Friday, 1 May 2026. */
export function startRunning({ at = '2026-05-01T11:00:00Z', settings = {}, ...overrides }: RunningOptions = {}): Promise<Running> {
  return startTestService({
    name: 'directory',
    at,
    settings,
    createLog,
    start: (environment, defaults) => {
      const config = readDirectoryConfig(environment);
      return startService(directoryService(config), config, { ...defaults, ...overrides });
    },
  });
}

interface RunningOptions extends Overrides {
  readonly at?: string;
  readonly settings?: Readonly<Record<string, string>>;
}
