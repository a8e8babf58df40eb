import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../telemetry/log.ts';
import { createLockClient, endWhenSilent } from './lock-client.ts';
import type { PostgresConnection } from './postgres-connection.ts';

/**
 * Milliseconds between two attempts to take a lost lock again: short, because others may take over the claims of a process without its
 * lock.
 */
const againMs = 200;

/**
 * Shows other processes on the database that this one is alive. `id` is the number of its advisory lock: random, positive, an int8.
 * `session` is the connection that holds it, for short statements; null while the lock is lost.
 */
export interface ProcessLock extends AsyncDisposable {
  readonly id: string;
  readonly session: pg.Client | null;
}

export interface ProcessLockOptions {
  readonly service: string;
  readonly postgres: PostgresConnection;
  readonly log: Log;
}

/**
 * Holds an advisory lock on its own connection until disposed, or until the process ends, however it ends. After a lost connection it takes
 * the same lock again as soon as Postgres can be reached.
 */
export function holdProcessLock({ service, postgres, log }: ProcessLockOptions): ProcessLock {
  const id = String(randomBytes(8).readBigUInt64BE() >> 1n);
  const stop = new AbortController();
  let session: pg.Client | null = null;
  const running = (async () => {
    for (let held = true; !stop.signal.aborted; ) {
      const client = createLockClient(postgres, `${service} process`);
      const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
      client.on('error', () => lose());
      client.on('end', () => lose());
      try {
        await client.connect();
        await endWhenSilent(client);
        await client.query('select pg_advisory_lock($1::bigint)', [id]);
        if (!held) log.info('the lock of this process is held again');
        held = true;
        session = client;
        await Promise.race([lost, aborted(stop.signal)]);
      } catch (error) {
        if (held)
          log.warn({ err: error }, 'the lock of this process is not held: others may take over what it claimed more than five seconds ago');
        held = false;
        await pause(againMs, undefined, { signal: stop.signal }).catch(() => {});
      } finally {
        session = null;
        await client.end().catch(() => {});
      }
    }
  })();
  return {
    id,
    get session() {
      return session;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));
