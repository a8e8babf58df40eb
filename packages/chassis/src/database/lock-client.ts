import pg from 'pg';
import type { PostgresConnection } from './postgres-connection.ts';

/** Milliseconds after which a statement without a response is given up: longer than Postgres itself lets one run. */
const queryTimeoutMs = 15_000;

/**
 * Makes a client for a connection that holds a session lock. A statement on a connection that died without an end fails after fifteen seconds;
 * otherwise it would wait for as long as the kernel sends again, a quarter of an hour. Call {@link endWhenSilent} once it is connected.
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

/**
 * Makes Postgres end this session, and so release its lock, when its process or host has been silent for about ten seconds. By default it
 * waits for two hours, in which no replica could take over.
 */
export const endWhenSilent = (client: pg.Client): Promise<unknown> =>
  client.query('set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3; set tcp_user_timeout = 10000');
