import { createLog, type Overrides, type RunningService } from '@corner/chassis';
import { fixedClock, startTestService, type TestService } from '@corner/testkit';
import { readNotificationsConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { startNotifications } from '../service.ts';

export type Running = TestService<RunningService<Context>>;

/** Runs on the system's clock unless `overrides` fix another. `settings` are those of channels and wallets. */
export function startRunning(overrides: Overrides = {}, settings: Readonly<Record<string, string>> = {}): Promise<Running> {
  const { now } = overrides;
  return startTestService({
    name: 'notifications',
    createLog,
    settings,
    // The issuer has the same clock: a token of the future is refused.
    ...(now === undefined ? {} : { clock: { ...fixedClock(now().toISOString()), now } }),
    start: (environment, { keys, log, watch }) =>
      startNotifications(readNotificationsConfig(environment), { keys, log, watch, ...overrides }),
  });
}
