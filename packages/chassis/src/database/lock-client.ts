import pg from 'pg';
import type { PostgresConnection } from './postgres-connection.ts';

/** Longer than Postgres itself lets a statement run. */
const queryTimeoutMs = 15_000;

/**
 * Makes a client for a connection that holds a session lock. On a dead connection a statement fails after fifteen seconds, not when the
 * kernel gives up. Call {@link endWhenSilent} once connected.
 */
export const createLockClient = (postgres: PostgresConnection, name: string): pg.Client =>
  new pg.Client({
    ...postgres,
    application_name: name,
    keepAlive: true,
    // A client that is silent for hours finds within seconds that Postgres has ended its session: the kernel's own time is two hours.
    keepAliveInitialDelayMillis: 4_000,
    connectionTimeoutMillis: 5_000,
    query_timeout: queryTimeoutMs,
  });

/** Makes Postgres end this session, and so release its lock, after about ten seconds of silence: the default is two hours. */
export const endWhenSilent = (client: pg.Client): Promise<unknown> =>
  client.query('set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3; set tcp_user_timeout = 10000');
