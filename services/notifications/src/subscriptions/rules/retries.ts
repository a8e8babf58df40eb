/**
 * An event is tried for `triedDays`; a failed attempt after that makes it dead. The previous secret signs for `oldSecretHours` as well.
 * Events, and webhooks that ended, are kept for `keptDays`. `mostWebhooks` counts those of a store that have not ended.
 */
const triedDays = 3;
export const giveUpAfter = (now: Date): Date => new Date(now.getTime() + triedDays * 86_400_000);

const oldSecretHours = 24;
export const oldSecretUntil = (now: Date): Date => new Date(now.getTime() + oldSecretHours * 3_600_000);

const keptDays = 30;
export const keptSince = (now: Date): Date => new Date(now.getTime() - keptDays * 86_400_000);

export const mostWebhooks = 10;

const longestSeconds = 3_600;
const spread = (seconds: number, random: number) => Math.min(seconds, longestSeconds) * (1 - random / 2);

/** Seconds after the n-th failed attempt of an event: 10, tripling up to an hour, less a random share of up to half. */
export const eventDelaySeconds = (attempts: number, random: number): number => spread(10 * 3 ** (attempts - 1), random);

/**
 * Seconds in which a webhook is not called after its n-th failed attempt in a row: 1, tripling up to an hour, less a random share of up to
 * half, or Retry-After up to an hour if that is longer. So a receiver that is down gets one call each time, however many events wait.
 */
export const webhookDelaySeconds = (failures: number, retryAfterSeconds: number, random: number): number =>
  Math.max(spread(3 ** (failures - 1), random), Math.min(retryAfterSeconds, longestSeconds));

/** Milliseconds: a receiver that is slower on average is served apart from the others. */
export const slowMs = 2_000;
