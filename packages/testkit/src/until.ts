import { setTimeout as pause } from 'node:timers/promises';

export interface UntilOptions {
  /** What is waited for, as it is to stand in the error: "a dead letter". */
  readonly describe: string;
  /** Milliseconds before it is given up. */
  readonly timeoutMs?: number;
}

/** Milliseconds between two looks. */
const lookMs = 15;

/**
 * Looks again and again until what is seen is true (or any other truthy value, which is the answer). For effects that come
 * when they come: nothing is assumed about how long they take. A look that throws counts as "not yet". Throws, with what
 * was waited for, when it takes too long.
 */
export async function until<T>(
  check: () => T | Promise<T>,
  { describe, timeoutMs = 60_000 }: UntilOptions,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  let last: unknown;
  let fault: unknown;
  for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; await pause(lookMs)) {
    try {
      const seen = await check();
      if (seen) return seen as Exclude<T, false | null | undefined | 0 | ''>;
      last = seen;
      fault = undefined;
    } catch (error) {
      fault = error;
    }
  }
  const instead = fault === undefined ? `last seen: ${String(last)}` : `the last look failed: ${String(fault)}`;
  throw new Error(`waited ${timeoutMs} ms in vain for ${describe}; ${instead}`, fault === undefined ? {} : { cause: fault });
}
