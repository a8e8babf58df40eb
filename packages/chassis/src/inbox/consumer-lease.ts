import type pg from 'pg';
import { sql } from 'slonik';
import { pause } from '../async/clock.ts';
import { backoffMs } from '../async/waiting.ts';
import { createLockClient, endWhenSilent } from '../database/lock-client.ts';
import type { PostgresConnection } from '../database/postgres-connection.ts';
import type { Log } from '../telemetry/log.ts';

export interface ConsumerLeaseOptions {
  readonly service: string;
  readonly postgres: PostgresConnection;
  readonly log: Log;
}

export class LostLease extends Error {
  override readonly message = 'another replica consumes now';
}

/** The row of `consumer_lease` while the token `lease` is the newest; no row otherwise. */
export const heldLease = (lease: string) => sql.fragment`select from consumer_lease where single and token = ${lease}`;

/**
 * Runs `work` while this replica holds the service's consumer lease, again after each loss, until `stopped`: two consumers at once would
 * break an aggregate's order. The lease is a session lock; losing it aborts the signal of `work`. Writes also check its token, since the
 * signal may come late.
 */
export async function holdConsumerLease(
  { service, postgres, log }: ConsumerLeaseOptions,
  stopped: AbortSignal,
  work: (ended: AbortSignal, lease: string) => Promise<void>,
): Promise<void> {
  for (let faults = 0; !stopped.aborted; ) {
    const lost = new AbortController();
    const client = createLockClient(postgres, `${service} consumer`);
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    try {
      await client.connect();
      await endWhenSilent(client);
      while (!(await acquire(client, service)) && !stopped.aborted) await pause(250, stopped);
      if (!stopped.aborted) {
        faults = 0;
        const lease = await drawToken(client);
        const ended = AbortSignal.any([stopped, lost.signal]);
        await Promise.all([work(ended, lease), watch(client, ended, () => lost.abort())]);
      }
    } catch (error) {
      log.warn({ err: error }, 'the consumer pauses: events wait in their streams');
      await pause(backoffMs(faults++), stopped);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** Milliseconds between two checks that Postgres still responds on the lease's connection. */
const watchMs = 4_000;

/** Calls `lose` when the connection is dead: Postgres has then released the lease, or is about to. */
async function watch(client: pg.Client, ended: AbortSignal, lose: () => void): Promise<void> {
  while (!ended.aborted) {
    await pause(watchMs, ended);
    if (!ended.aborted) await client.query('select').catch(lose);
  }
}

async function acquire(client: pg.Client, service: string): Promise<boolean> {
  const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as ours', [
    `corner consumer ${service}`,
  ]);
  return rows[0]?.ours ?? false;
}

/** Draws the token of a new lease, after the transactions of the former holder: they read it once they have the table's lock. */
async function drawToken(client: pg.Client): Promise<string> {
  await client.query('begin');
  await client.query('lock table inbox, consumer_position in share row exclusive mode');
  const { rows } = await client.query<{ token: string }>('update consumer_lease set token = gen_random_uuid() returning token');
  await client.query('commit');
  const [row] = rows;
  if (!row) throw new Error('consumer_lease has no row: the schema is not migrated');
  return row.token;
}
