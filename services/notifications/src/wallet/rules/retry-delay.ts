/** Tellings tried before a wallet is given up on: with the pauses between them, about a day. */
export const mostAttempts = 32;

/** Milliseconds until a telling is tried again after `attempts` failures: 5 s doubling to an hour. */
export const pauseMs = (attempts: number): number => Math.min(3_600_000, 5_000 * 2 ** Math.min(Math.max(attempts - 1, 0), 12));
