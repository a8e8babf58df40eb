import { setTimeout as pause } from 'node:timers/promises';
import { type DirectoryFile, exportDirectory, type ServiceName } from '@corner/contracts';
import { addressesOf, connectNats, type Login } from '@corner/nats';
import { applyDirectory, callerOf, directoryReplies, importDirectory, takeOverDirectory } from '@corner/operator';
import { jetstreamManager } from '@nats-io/jetstream';
import { type NatsConnection, TimeoutError } from '@nats-io/transport-node';
import { connectMs } from './database-server.ts';
import type { ServerHandle } from './server-handle.ts';
import type { Report } from './topology.ts';

interface FillOptions {
  readonly nats: ServerHandle;
  readonly login: Login;
  readonly namespace: string;
  readonly services: readonly ServiceName[];
  readonly directory: DirectoryFile | null;
  readonly report: Report;
}

export async function fillWithDirectory({ nats, login, namespace, services, directory, report }: FillOptions): Promise<void> {
  const began = performance.now();
  const connection = await connectNats(nats.url, 'corner start', login);
  try {
    if (directory) {
      report({ part: 'demo', done: false, detail: 'applying the directory' });
      if (services.includes('directory')) await importInto(connection, namespace, directory);
      else await applyDirectory(directory, { connection, namespace });
      report({ part: 'demo', done: true, detail: directoryFigures(directory), ms: performance.now() - began });
    } else if (services.includes('directory')) {
      report({ part: 'demo', done: true, detail: await earlierStores(connection, namespace) });
    }
    const where = nats.ours ? new URL(nats.url).port : hostsOf(nats.url);
    report({ part: 'nats', done: true, where, detail: await brokerFigures(connection), ms: nats.startedInMs });
  } finally {
    await connection.close();
  }
}

const by = 'corner-start';
const [againMs, patienceMs] = [50, 60_000];

/** First takes over the stores that an earlier system on this machine published without the service. */
async function importInto(connection: NatsConnection, namespace: string, directory: DirectoryFile): Promise<void> {
  const call = await directoryCaller(connection, namespace);
  await takeOverDirectory(call, { by });
  await importDirectory(call, directory, { by });
}

async function earlierStores(connection: NatsConnection, namespace: string): Promise<string> {
  const { entries } = await (await directoryCaller(connection, namespace))(exportDirectory, { by });
  const found = entries.filter(({ kind }) => kind === 'store').length;
  return found === 0 ? 'none: no store, no people' : `${counted(found, 'store')} of an earlier start: npm run reset deletes them`;
}

async function directoryCaller(connection: NatsConnection, namespace: string) {
  const call = callerOf({ connection, namespace, operator: by });
  const replies = () =>
    directoryReplies(call).catch((error: unknown) => {
      if (error instanceof TimeoutError) return false;
      throw error;
    });
  for (const deadline = performance.now() + patienceMs; !(await replies()); await pause(againMs))
    if (performance.now() > deadline) throw new Error('the directory service does not answer');
  return call;
}

const hostsOf = (addresses: string): string =>
  addressesOf(addresses)
    .map((address) => new URL(address).host)
    .join(' ');

async function brokerFigures(connection: NatsConnection): Promise<string> {
  const jsm = await jetstreamManager(connection, { checkAPI: false, timeout: connectMs });
  const { streams, consumers } = await jsm.getAccountInfo();
  return `${counted(streams, 'stream')}, ${counted(consumers, 'consumer')}`;
}

const directoryFigures = ({ stores, customers }: DirectoryFile): string =>
  `${counted(stores.length, 'store')}, ${counted(customers.length, 'customer')}, ${counted(stores.filter(({ walk_ins_accepted }) => walk_ins_accepted).length, 'open queue')}`;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
