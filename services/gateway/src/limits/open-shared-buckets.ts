import type { Log } from '@corner/chassis/edge';
import type { GatewayConfig } from '../config.ts';
import type { SharedBuckets } from './shared-buckets.ts';

/** Opens the buckets that all gateways share; null without LIMITS_DATABASE_URL. The database driver is loaded only when it is needed. */
export async function openSharedBuckets(config: GatewayConfig, log: Log, now: () => number): Promise<SharedBuckets | null> {
  if (config.RATE_LIMITS === 'off') return null;
  if (config.LIMITS_DATABASE_URL === undefined) {
    log.info('rate limits are counted in this process alone: LIMITS_DATABASE_URL is not set');
    return null;
  }
  const { createSharedBuckets } = await import('./shared-buckets.ts');
  return createSharedBuckets({ url: config.LIMITS_DATABASE_URL, log, now, timeoutMs: config.LIMITS_TIMEOUT_MS });
}
