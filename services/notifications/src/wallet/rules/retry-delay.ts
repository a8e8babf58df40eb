/** Attempts to update a pass in a wallet before it fails: with the delays between them, about a day. */
export const maxAttempts = 32;

/** Milliseconds until the next attempt after `attempts` failed ones: 5 s, doubling up to an hour. */
export const retryDelayMs = (attempts: number): number => Math.min(3_600_000, 5_000 * 2 ** Math.min(Math.max(attempts - 1, 0), 12));
