import { setTimeout as pause } from 'node:timers/promises';

export interface UntilOptions {
  readonly describe: string;
  /** Four minutes by default: a safety net, not an expectation of speed. */
  readonly timeoutMs?: number;
}

const firstPauseMs = 15;
/** A look may be a request that passes through the whole platform: many short pauses would take the processor from what is waited for. */
const longestPauseMs = 250;

/**
 * Repeats a check until it returns a truthy value, and returns that. A throw counts as "not yet". Throws an error with `describe` when it
 * takes too long.
 */
export async function until<T>(
  check: () => T | Promise<T>,
  { describe, timeoutMs = 240_000 }: UntilOptions,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  let last: unknown;
  let fault: unknown;
  let pauseMs = firstPauseMs;
  for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; await pause(pauseMs)) {
    pauseMs = Math.min(pauseMs * 1.25, longestPauseMs);
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
