/** Attempts before a message fails. The last one is some eleven hours after the first. */
export const maxAttempts = 10;

/**
 * Seconds to wait after the n-th attempt failed: 10, then three times as long each time, 4 hours at most. A random share of up to half of
 * it is taken off (`random`, 0 to 1), so that not all messages return at once. The provider's own `Retry-After` is the minimum.
 */
export function retryDelaySeconds(attempts: number, retryAfterSeconds: number, random: number): number {
  const delay = Math.min(firstDelaySeconds * 3 ** (attempts - 1), longestDelaySeconds);
  return Math.max(delay * (1 - random / 2), Math.min(retryAfterSeconds, longestDelaySeconds));
}

const firstDelaySeconds = 10;
const longestDelaySeconds = 4 * 3600;
