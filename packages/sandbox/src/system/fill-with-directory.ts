import type { DirectoryFile } from '@corner/contracts';
import { addressesOf, connectNats, type Login } from '@corner/nats';
import { applyDirectory } from '../directory/apply-directory.ts';
import { brokerFigures, directoryFigures } from './counts.ts';
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
