import { createLog, type Overrides, type RunningService, readConfig, serviceSettings, startService } from '@corner/chassis';
import { startTestService, type TestService } from '@corner/testkit';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { directoryService } from '../service.ts';

export type Running = TestService<RunningService<Context>>;

/** Starts the service with its clock held, by default at noon in London on Friday, 1 May 2026. */
export function startRunning({ at = '2026-05-01T11:00:00Z', ...overrides }: Overrides & { readonly at?: string } = {}): Promise<Running> {
  return startTestService({
    name: 'directory',
    at,
    createLog,
    start: (environment, defaults) =>
      startService(directoryService, readConfig(z.object(serviceSettings), environment), { ...defaults, ...overrides }),
  });
}
