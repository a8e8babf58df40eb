import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../async/backoff.ts';
import type { Log } from '../telemetry/log.ts';
import { createLockClient, endWhenSilent } from './lock-client.ts';
import type { PostgresConnection } from './postgres-connection.ts';

/** Shows to every other process on the same database that this process is alive. */
export interface ProcessLock extends AsyncDisposable {
  /** The number of this process's advisory lock, as text: random, positive, an int8. */
  readonly id: string;
}

export interface ProcessLockOptions {
  readonly service: string;
  readonly postgres: PostgresConnection;
  readonly log: Log;
}

/**
 * Holds an advisory lock on a connection of its own until it is disposed. The lock ends with the process, however it ends: the kernel
 * closes the connection of a process that was killed, and Postgres gives up a host that is silent for about ten seconds. A connection
 * that is lost is opened again at once, with the same lock.
 */
export function holdProcessLock({ service, postgres, log }: ProcessLockOptions): ProcessLock {
  const id = String(randomBytes(8).readBigUInt64BE() >> 1n);
  const stop = new AbortController();
  const running = (async () => {
    for (let faults = 0; !stop.signal.aborted; ) {
      const client = createLockClient(postgres, `${service} process`);
      const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
      client.on('error', () => lose());
      client.on('end', () => lose());
      try {
        await client.connect();
        await endWhenSilent(client);
        await client.query('select pg_advisory_lock($1::bigint)', [id]);
        faults = 0;
        await Promise.race([lost, aborted(stop.signal)]);
      } catch (error) {
        log.warn({ err: error }, 'the lock of this process is not held: after a few seconds others may take its claims over');
        await pause(backoffMs(faults++), undefined, { signal: stop.signal }).catch(() => {});
      } finally {
        await client.end().catch(() => {});
      }
    }
  })();
  return {
    id,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));
