import type { DirectoryFile } from '@corner/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectMs } from './database-server.ts';

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
