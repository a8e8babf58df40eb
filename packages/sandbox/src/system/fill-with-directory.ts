import type { DirectoryFile } from '@corner/contracts';
import { addressesOf, connectNats, type Login } from '@corner/nats';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { applyDirectory } from '../directory/apply-directory.ts';
import { connectMs } from './database-server.ts';
import type { Report } from './progress.ts';
import type { ServerHandle } from './server-handle.ts';

interface FillOptions {
  readonly nats: ServerHandle;
  readonly login: Login;
  readonly namespace: string;
  readonly directory: DirectoryFile | null;
  readonly report: Report;
}

/** Applies the directory to a system whose services run, and reports the broker's streams. */
export async function fillWithDirectory({ nats, login, namespace, directory, report }: FillOptions): Promise<void> {
  const began = performance.now();
  const connection = await connectNats(nats.url, 'corner start', login);
  try {
    if (directory) {
      report({ part: 'demo', done: false, detail: 'applying the directory' });
      await applyDirectory(directory, { connection, namespace });
      report({ part: 'demo', done: true, detail: directoryFigures(directory), ms: performance.now() - began });
    }
    const where = nats.ours ? new URL(nats.url).port : hostsOf(nats.url);
    report({ part: 'nats', done: true, where, detail: await brokerFigures(connection), ms: nats.startedInMs });
  } finally {
    await connection.close();
  }
}

const hostsOf = (addresses: string): string =>
  addressesOf(addresses)
    .map((address) => new URL(address).host)
    .join(' ');

/** Counts the streams and consumers in the broker. */
async function brokerFigures(connection: NatsConnection): Promise<string> {
  const jsm = await jetstreamManager(connection, { checkAPI: false, timeout: connectMs });
  const { streams, consumers } = await jsm.getAccountInfo();
  return `${counted(streams, 'stream')}, ${counted(consumers, 'consumer')}`;
}

/** Counts the entries of a directory. */
const directoryFigures = ({ stores, customers }: DirectoryFile): string =>
  `${counted(stores.length, 'store')}, ${counted(customers.length, 'customer')}, ${counted(stores.filter(({ walk_ins_accepted }) => walk_ins_accepted).length, 'open queue')}`;

/** A number and its noun, in the singular or the plural. */
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
