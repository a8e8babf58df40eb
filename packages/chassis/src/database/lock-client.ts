import pg from 'pg';
import type { PostgresConnection } from './postgres-connection.ts';

const queryTimeoutMs = 15_000;

/**
 * Makes a client for a connection that holds a session lock. On a dead connection a statement fails after 15 s, longer than Postgres lets
 * one run, not when the kernel gives up. Call {@link endWhenSilent} once connected.
 */
export const createLockClient = (postgres: PostgresConnection, name: string): pg.Client =>
  new pg.Client({ ...keptAlive(postgres, name), connectionTimeoutMillis: 5_000, query_timeout: queryTimeoutMs });

export const keptAlive = (postgres: PostgresConnection, name: string): pg.ClientConfig => ({
  ...postgres,
  application_name: name,
  keepAlive: true,
  keepAliveInitialDelayMillis: 4_000,
});

/**
 * Postgres then ends a session after about ten seconds of silence, also while a statement runs: a machine that loses its power closes no
 * connection, and the default is two hours.
 */
export const endsWhenSilent: readonly string[] = [
  'tcp_keepalives_idle = 4',
  'tcp_keepalives_interval = 2',
  'tcp_keepalives_count = 3',
  'tcp_user_timeout = 10000',
  `client_connection_check_interval = '5s'`,
];

export const endWhenSilent = (client: pg.Client): Promise<unknown> =>
  client.query(endsWhenSilent.map((setting) => `set ${setting}`).join('; '));
