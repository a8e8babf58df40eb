import type { Log } from '@corner/chassis/edge';
import type { GatewayConfig } from './config.ts';
import type { SharedBuckets } from './shared-buckets.ts';

/** The buckets all gateways share, where there is a database for them. Its driver is loaded only then. */
export async function openLimits(config: GatewayConfig, log: Log, now: () => number): Promise<SharedBuckets | null> {
  if (config.RATE_LIMITS === 'off') return null;
  if (config.LIMITS_DATABASE_URL === undefined) {
    log.info('rate limits are counted in this process alone: LIMITS_DATABASE_URL is not set');
    return null;
  }
  const { openSharedBuckets } = await import('./shared-buckets.ts');
  return openSharedBuckets({ url: config.LIMITS_DATABASE_URL, log, now, patienceMs: config.LIMITS_TIMEOUT_MS });
}
