import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../async/waiting.ts';
import { isTransient } from '../errors/is-transient.ts';
import type { Log } from '../telemetry/log.ts';

const patienceMs = 60_000;

/** Retries `open` while the server cannot be reached. Rejects with the last fault after a minute, and with any other at once. */
export async function whenReachable<T>(open: () => Promise<T>, log: Log): Promise<T> {
  const startedAt = performance.now();
  for (let faults = 0; ; faults += 1) {
    try {
      return await open();
    } catch (error) {
      if (!isTransient(error) || performance.now() - startedAt > patienceMs) throw error;
      if (faults === 0) log.warn({ err: error }, 'Postgres cannot be reached yet: trying again');
      await pause(backoffMs(faults));
    }
  }
}
