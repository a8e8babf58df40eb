import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { backoffMs } from '../async/backoff.ts';
import type { Log } from '../telemetry/log.ts';

export interface ConsumerLeaseOptions {
  readonly service: string;
  readonly databaseUrl: string;
  readonly log: Log;
}

/**
 * Runs `listen` while this replica is the one of its service that listens, again and again until `stopped`. Two that listened
 * at once would share one aggregate's events between them, and order with it. The turn is a session lock: it goes with the
 * connection, whatever happened to the process, and `over` says so.
 */
export async function holdConsumerLease(
  { service, databaseUrl, log }: ConsumerLeaseOptions,
  stopped: AbortSignal,
  listen: (over: AbortSignal) => Promise<void>,
): Promise<void> {
  for (let faults = 0; !stopped.aborted; ) {
    const lost = new AbortController();
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: `${service} listener`,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    try {
      await client.connect();
      while (!(await isOurs(client, service)) && !stopped.aborted) await pause(250, undefined, { signal: stopped }).catch(() => {});
      if (!stopped.aborted) {
        faults = 0;
        await listen(AbortSignal.any([stopped, lost.signal]));
      }
    } catch (error) {
      log.warn({ err: error }, 'the listener pauses: events wait in their streams');
      await pause(backoffMs(faults++), undefined, { signal: stopped }).catch(() => {});
    } finally {
      await client.end().catch(() => {});
    }
  }
}

async function isOurs(client: pg.Client, service: string): Promise<boolean> {
  const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as ours', [
    `corner listener ${service}`,
  ]);
  return rows[0]?.ours ?? false;
}
