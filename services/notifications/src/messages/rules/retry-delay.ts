/** How often a message is tried before it is given up: the last time some eleven hours after the first. */
export const mostTries = 10;

const firstWaitSeconds = 10;
const longestWaitSeconds = 4 * 3600;

/**
 * Seconds to wait after the n-th try failed: 10, then three times as long each time, 4 hours at most, of which a random share
 * (`random`, 0 to 1) of the half is taken off so that a provider that comes back is not overrun. What it asked for is the least.
 */
export function waitAfter(tries: number, askedSeconds: number, random: number): number {
  const wait = Math.min(firstWaitSeconds * 3 ** (tries - 1), longestWaitSeconds);
  return Math.max(wait * (1 - random / 2), Math.min(askedSeconds, longestWaitSeconds));
}
