import { createLog, type Overrides, type RunningService, startService } from '@corner/chassis';
import { startTestService, type TestService } from '@corner/testkit';
import { readLoyaltyConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { loyaltyService } from '../service.ts';
import { testKeysSetting } from './tags.ts';

export type Running = TestService<RunningService<Context>>;

/** Starts the service with its clock held, by default at noon in London on 1 May 2026. */
export function startRunning({ at = '2026-05-01T11:00:00Z', ...overrides }: Overrides & { readonly at?: string } = {}): Promise<Running> {
  return startTestService({
    name: 'loyalty',
    at,
    createLog,
    settings: { NFC_KEYS: testKeysSetting },
    start: (environment, defaults) => {
      const config = readLoyaltyConfig(environment);
      return startService(loyaltyService(config), config, { ...defaults, ...overrides });
    },
  });
}
