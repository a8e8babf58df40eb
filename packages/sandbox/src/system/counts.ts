import { type DirectoryFile, services } from '@corner/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectMs, withClient } from './database-server.ts';
import { roleUrl } from './roles.ts';

/** Counts the schemas and roles of the services in the database. */
export async function databaseFigures(adminUrl: string): Promise<string> {
  return await withClient(adminUrl, async (client) => {
    const roles = services.map((service) => new URL(roleUrl(adminUrl, service)).username);
    const { rows } = await client.query<{ schemas: number; roles: number }>(
      `select (select count(*)::int from pg_namespace where nspname = any($1)) as schemas,
              (select count(*)::int from pg_roles where rolname = any($2)) as roles`,
      [services, roles],
    );
    return `${counted(rows[0]?.schemas ?? 0, 'schema')}, ${counted(rows[0]?.roles ?? 0, 'role')}, migrations current`;
  });
}

/** Counts the streams and consumers in the broker. */
export async function brokerFigures(connection: NatsConnection): Promise<string> {
  const jsm = await jetstreamManager(connection, { checkAPI: false, timeout: connectMs });
  const { streams, consumers } = await jsm.getAccountInfo();
  return `${counted(streams, 'stream')}, ${counted(consumers, 'consumer')}`;
}

/** Counts the entries of a directory. */
export const directoryFigures = ({ stores, customers }: DirectoryFile): string =>
  `${counted(stores.length, 'store')}, ${counted(customers.length, 'customer')}, ${counted(stores.filter(({ walk_ins_accepted }) => walk_ins_accepted).length, 'open queue')}`;

/** A number and its noun, in the singular or the plural. */
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
